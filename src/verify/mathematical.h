// SPDX-License-Identifier: Apache-2.0
/// From bit-vectors to mathematical integers, and back with a counterexample.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/mathematical.h"
#include "refine/feasibility.h"
#include "verify/sequential.h"

namespace agon::verify {

/// The program over integers, which starts as this one does.
std::unique_ptr<analysis::Mathematical> to_mathematical(ir::Program program,
                                                        ir::FunctionId entry);

/// Where the interpreter puts objects when it runs the machine's program.
std::vector<term::Term> interpreter_layout(analysis::Mathematical& both);

/// The same executions with bits; none if they do not fit.
std::optional<refine::Feasibility> on_machine(const Task& task,
                                              const refine::Feasibility& found);

/// Why a counterexample over integers is none of the machine's program, when
/// it is run there; none if it is one.
std::optional<std::string> problem_on_machine(const Task& task,
                                              const refine::Feasibility& found);

}  // namespace agon::verify
