// SPDX-License-Identifier: Apache-2.0
/// A program under abstraction: what stays from one iteration to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abstraction/abstract_program.h"
#include "abstraction/invariants.h"
#include "refine/feasibility.h"
#include "refine/refiner.h"
#include "verify/outside.h"
#include "verify/sequential.h"

namespace agon::verify {

/// A sequential program, alone or as a component of a concurrent one.
class Component {
 public:
  /// All arguments have to outlive it. The solver gets what is known about
  /// addresses, and forgets it in the end.
  Component(const Task& task, const Options& options,
            abstraction::BlockMode mode, smt::Solver& solver,
            support::Context& context);
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  const Task& task() const { return task_; }
  const abstraction::Blocks& blocks() const { return blocks_; }
  abstraction::AbstractSteps& steps() { return steps_; }
  const abstraction::Start& start() const { return start_; }
  refine::Refiner& refiner() { return refiner_; }

  /// Whether the solver could not decide some step, so that it is missing.
  bool has_failed() const { return solutions_.has_failed(); }

  /// Forgets what was found out about steps of the abstraction.
  void forget_steps() { solutions_.forget(); }
  /// Forgets answers that may be guesses because the solver would have needed
  /// more than it was allowed then. False if there are none.
  bool takes_up_postponed();

  /// Whether a play is real.
  refine::Feasibility decide(const refine::Play& play);

  /// Whether the program can start with these values.
  bool can_start(const term::Assignment& initial);

  /// Runs what was found real in the interpreter. Says why it does not count
  /// as an execution all the same, if it does not.
  std::optional<std::string> doubt(const refine::Feasibility& found) const;

  /// Looks for invariants, which later abstractions know everywhere. Where that
  /// is hard it is broken off: false if it should be called again.
  bool strengthen();

  const abstraction::Precision& precision() const {
    return refiner_.precision();
  }
  /// What is known at a cut point whatever the predicates are.
  const std::vector<term::Term>& facts(ir::LocationId cut) const {
    return steps_.facts(cut);
  }
  /// The predicates at present, in C.
  std::vector<std::string> predicates() const;
  /// The invariants at present, in C, each once.
  std::vector<std::string> invariants() const;

 private:
  const Task& task_;
  smt::Solver& solver_;
  support::Context& context_;
  abstraction::Blocks blocks_;
  abstraction::SymbolicExecution execution_;
  abstraction::Solutions solutions_;
  abstraction::AbstractSteps steps_;
  abstraction::Start start_;
  Outside outside_;
  refine::Layout layout_;
  refine::Refiner refiner_;
  std::optional<abstraction::InvariantSearch> search_;
  std::uint64_t search_resources_ = 0;
  std::size_t num_postponed_ = 0;  // Questions that were taken up again.
};

}  // namespace agon::verify
