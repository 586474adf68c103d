// SPDX-License-Identifier: Apache-2.0
/// How much of the work may be spent on looking for few predicates.
#pragma once

#include <cstdint>
#include <optional>

#include "abstraction/abstract_program.h"
#include "refine/elimination.h"
#include "refine/options.h"
#include "smt/solver.h"
#include "support/context.h"

namespace agon::refine {

/// Counts work, in units that take about the same time: a microsecond. It is
/// not measured, since no answer may depend on time.
class Budget {
 public:
  /// Minimisation is what `elimination` does.
  Budget(const abstraction::AbstractSteps& steps, const smt::Solver& solver,
         const Elimination& elimination, const RefinerOptions& options,
         support::Context& context);

  /// What was done so far, by whomever.
  std::uint64_t work() const;

  /// What minimisation has spent. Whatever it asks is new, so it takes more
  /// time than what else is asked, and counts double.
  std::uint64_t spent() const;

  /// Notes how many sets were looked at to find a smallest choice.
  void note_minimum(std::uint64_t sets) { sets_ += sets; }

  /// How many calls of the solver minimisation may still spend.
  std::uint64_t calls_left() const;

  /// How many sets it may still look at to find a smallest choice.
  std::uint64_t sets_left() const;

  /// Whether it has spent less than half of its share.
  bool has_plenty() const { return 2 * spent() <= share(); }

  /// Counts what is asked for as long as it exists as asked by minimisation.
  class Asking {
   public:
    explicit Asking(Budget& budget)
        : budget_(budget), num_calls_(budget.num_calls_) {
      budget_.asks_since_ = budget_.work();
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() {
      budget_.asked_ += budget_.work() - *budget_.asks_since_;
      budget_.asked_calls_ += budget_.num_calls_ - num_calls_;
      budget_.asks_since_.reset();
    }

   private:
    Budget& budget_;
    const std::uint64_t num_calls_;
  };

 private:
  bool is_bounded() const { return share_ < MinimiseBounds::kWhole; }
  std::uint64_t share() const;
  std::uint64_t left() const;  // In units.
  /// What a call of the solver has cost so far on average, for minimisation if
  /// that was more.
  std::uint64_t call() const;
  std::uint64_t calls() const;

  const abstraction::AbstractSteps& steps_;
  const smt::Solver& solver_;
  const Elimination& elimination_;
  const unsigned share_;  // In hundredths of the work.
  const std::uint64_t free_;
  const std::uint64_t& num_questions_;  // Statistics, which change.
  const std::uint64_t& num_calls_;
  std::uint64_t sets_ = 0;                   // For smallest choices.
  std::uint64_t asked_ = 0;                  // Of `work`, by minimisation.
  std::uint64_t asked_calls_ = 0;            // Of the solver, likewise.
  std::optional<std::uint64_t> asks_since_;  // The `work` when it began.
};

}  // namespace agon::refine
