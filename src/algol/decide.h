// SPDX-License-Identifier: Apache-2.0
/// Is a move of an open term reachable in some environment?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algol/ast.h"
#include "algol/move.h"
#include "algol/search.h"
#include "algol/tree.h"
#include "support/context.h"

namespace agon::algol {

struct Decision {
  enum class Kind : std::uint8_t { Reachable, Unreachable, Unknown };
  Kind kind = Kind::Unknown;
  std::string reason;  ///< Why unknown.
  std::size_t iterations = 0;
  std::size_t states = 0;      ///< Of the last iteration.
  std::uint64_t steps = 0;     ///< Moves inside of the tree, in all iterations.
  std::size_t parts = 0;       ///< Into which data were divided in the end.
  bool by_predicates = false;  ///< Relations between values decided.
  /// The moves that lead to the one in question, which is the last. Values that
  /// do not matter are intervals.
  Play play;
  /// The same play as the interpreter played it, with the least of them.
  Play example;
};

struct DecideOptions {
  bool precise = false;  ///< No approximation: every value is itself.
  Order order = Order::Program;
  /// Somebody who knows relations between values. Is asked in turns with
  /// refinement, for so many iterations of its own. None if empty.
  std::function<Decision(std::size_t)> predicates = {};
};

/// Searches; with approximation, refines along each path that may be spurious
/// and searches again. A play is reported only after it has been replayed.
Decision decide(const Judgement& judgement, const Tree& tree,
                const std::vector<Pattern>& patterns,
                const DecideOptions& options, support::Context& context);

}  // namespace agon::algol
