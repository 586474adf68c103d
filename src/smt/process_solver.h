// SPDX-License-Identifier: Apache-2.0
/// Any SMT-LIB 2 solver as a child process.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "smt/solver.h"

namespace agon::smt {

/// How a solver is called.
struct ProcessOptions {
  std::vector<std::string> command;
  /// Options for milliseconds and resources, which end in the number; none if
  /// empty.
  std::string time_option;
  std::string resource_option;
  /// When a solver that has no limit of time is taken to hang.
  std::chrono::milliseconds patience{600'000};
};

ProcessOptions cvc5_process();
ProcessOptions z3_process();

/// A child that dies, hangs or talks nonsense is an Unknown; the next check
/// starts another one. The pool is the one of the terms.
std::unique_ptr<Solver> make_process_solver(term::Pool& pool,
                                            const ProcessOptions& options);

}  // namespace agon::smt
