// SPDX-License-Identifier: Apache-2.0
/// An open term as a program whose inputs are the moves of the environment.
///
/// Intervals know nothing of relations between values. The engine that checks C
/// does, by predicates. A term has no recursion, so it is one automaton: a call
/// of a free identifier is a loop in which the environment chooses what to ask.
#pragma once

#include <optional>
#include <span>

#include "algol/move.h"
#include "algol/tree.h"
#include "ir/program.h"

namespace agon::open {

struct TermProgram {
  ir::Program program;
  ir::FunctionId entry;
};

/// A program that performs `error` if and only if a move is made that matches
/// one of the patterns. Its inputs are, in order, what `algol::Machine` offers
/// in the precise model: at each choice the number of a group of options, if
/// there are several, and a value, if the group has several. Nothing if it
/// would be too large, since what is shared exists once for each use here.
std::optional<TermProgram> to_program(const algol::Tree& tree,
                                      std::span<const algol::Pattern> patterns);

}  // namespace agon::open
