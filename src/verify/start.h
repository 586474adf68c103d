// SPDX-License-Identifier: Apache-2.0
/// What holds before a program runs.
#pragma once

#include "abstraction/abstract_program.h"
#include "ir/program.h"

namespace agon::verify {

/// Initial values of globals and of objects, as far as the program gives them.
/// Everything else may hold any value.
abstraction::Start start_of(const ir::Program& program);

/// Makes the program forget them, for a function that may be called at any
/// time. Constants keep their values.
void forget_initial_values(ir::Program& program);

/// That objects lie one behind the other, none at 0: globals before locals. To
/// compare addresses of different objects by `<` is undefined in C, so that the
/// order is no restriction. For the addresses that occur in the body.
std::vector<term::Term> layout_axioms(const ir::Program& program,
                                      ir::FunctionId entry);

/// Where the interpreter puts them.
std::vector<term::Term> interpreter_layout(const ir::Program& program,
                                           ir::FunctionId entry);

}  // namespace agon::verify
