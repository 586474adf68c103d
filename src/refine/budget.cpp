// SPDX-License-Identifier: Apache-2.0
#include "refine/budget.h"

#include <algorithm>
#include <limits>

namespace agon::refine {
namespace {

constexpr std::uint64_t kDearer = 2;
constexpr std::uint64_t kSets = 100;  // Are looked at in one unit.
/// What the easiest call of the solver costs, and what it does in one unit.
constexpr std::uint64_t kCall = 64;
constexpr std::uint64_t kResources = 2;
constexpr std::uint64_t kHardest = 4;  // A call, in usual ones.

/// Something is free for branches, since without it all branches of a path are
/// taken, and they are many.
std::uint64_t free_units(const RefinerOptions& options) {
  constexpr std::uint64_t kForBranches = 12'000;
  return options.predicates == PredicateSource::Branches ? kForBranches : 0;
}

}  // namespace

Budget::Budget(const abstraction::AbstractSteps& steps,
               const smt::Solver& solver, const Elimination& elimination,
               const RefinerOptions& options, support::Context& context)
    : steps_(steps),
      solver_(solver),
      elimination_(elimination),
      share_(options.bounds.share),
      free_(free_units(options)),
      num_questions_(context.statistics()["abstraction.questions"]),
      num_calls_(context.statistics()["solver.calls"]) {}

std::uint64_t Budget::work() const {
  return num_questions_ + steps_.num_passed() + calls();
}

std::uint64_t Budget::calls() const {
  return kCall * num_calls_ + solver_.spent() / kResources;
}

std::uint64_t Budget::call() const {
  return std::max({kCall, calls() / std::max<std::uint64_t>(num_calls_, 1),
                   asked_ / std::max<std::uint64_t>(asked_calls_, 1)});
}

std::uint64_t Budget::spent() const {
  const std::uint64_t asks = asks_since_ ? work() - *asks_since_ : 0;
  return kDearer * (asked_ + asks + elimination_.effort() + sets_ / kSets);
}

std::uint64_t Budget::share() const {
  if (!is_bounded()) return std::numeric_limits<std::uint64_t>::max();
  return work() / MinimiseBounds::kWhole * share_;
}

std::uint64_t Budget::left() const {
  constexpr std::uint64_t kPlenty = 1'000'000'000;
  if (!is_bounded()) return kPlenty;
  const std::uint64_t all = share() + free_;
  return all <= spent() ? 0 : (all - spent()) / kDearer;
}

/// Where nothing is free, a call is not begun before what is left would pay for
/// several of the usual cost: what minimisation asks may cost several times as
/// much, and a short run has no time to make up for it.
std::uint64_t Budget::calls_left() const {
  if (free_ == 0) return left() / (kHardest * call());
  return left() == 0 ? 0 : 1 + left() / call();
}

std::uint64_t Budget::sets_left() const {
  constexpr std::uint64_t kMost = 10'000'000;
  return std::min(kMost, left() * kSets);
}

}  // namespace agon::refine
