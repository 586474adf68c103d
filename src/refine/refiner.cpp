// SPDX-License-Identifier: Apache-2.0
#include "refine/refiner.h"

#include <algorithm>
#include <ctime>

#include "refine/atoms.h"
#include "refine/minimum.h"
#include "support/error.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::refine {

using abstraction::Precision;
using term::Term;

namespace {

/// Adds the CPU time until it ends to a statistic.
class Stopwatch {
 public:
  explicit Stopwatch(std::uint64_t& microseconds)
      : microseconds_(microseconds), start_(now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { microseconds_ += now() - start_; }

 private:
  static std::uint64_t now() {
    constexpr std::uint64_t kMillion = 1'000'000;
    return static_cast<std::uint64_t>(std::clock()) * kMillion / CLOCKS_PER_SEC;
  }

  std::uint64_t& microseconds_;
  const std::uint64_t start_;
};

void note(std::vector<std::uint32_t>& numbers, std::uint32_t number) {
  if (std::ranges::count(numbers, number) == 0) numbers.push_back(number);
}

}  // namespace

Refiner::Refiner(abstraction::AbstractSteps& steps,
                 abstraction::Solutions& solutions, smt::Solver& solver,
                 const abstraction::Start& start, const RefinerOptions& options,
                 support::Context& context)
    : steps_(steps),
      options_(options),
      context_(context),
      num_locations_(steps.blocks().body().num_locations()),
      discovery_(steps, solutions, solver, start),
      inference_(steps.blocks(), steps.execution().liveness()),
      elimination_(steps, solutions, start, context),
      budget_(steps, solver, elimination_, options, context),
      precision_(num_locations_) {
  elimination_.ask_for_calls_left([this] { return budget_.calls_left(); });
}

void Refiner::add(ir::LocationId location, Term predicate) {
  const abstraction::Liveness& liveness = steps_.execution().liveness();
  for (const Term variable : term::variables_of(predicate)) {
    const ir::VariableId id = steps_.blocks().program().variable_of(variable);
    if (!id.valid() || !liveness.is_live(location, id)) return;
  }
  precision_.add(location, abstraction::canonical(
                               *steps_.blocks().program().pool, predicate));
}

bool Refiner::refine(std::span<const Play> plays) {
  bool is_finer = false;
  if (options_.minimise == Minimise::None) {
    for (const Play& play : plays) is_finer |= add(play);
    count_branches();
    return is_finer;
  }
  const Choice old = chosen_;
  const std::size_t before = num_predicates_;
  for (const Play& play : plays) is_finer |= add_few(play);
  // The same again would admit the same again.
  if (chosen_ == old && num_predicates_ == before) chosen_ = everything();
  precision_ = precision_of(chosen_);
  count_branches();
  context_.statistics()["refine.work"] = budget_.work();
  context_.statistics()["refine.spent"] = budget_.spent();
  return is_finer && (chosen_ != old || num_predicates_ > before);
}

/// The size of P (TWO §9.1.2).
void Refiner::count_branches() {
  if (options_.predicates != PredicateSource::Branches) return;
  std::uint64_t count = seeds_.size();
  for (const std::uint32_t number : chosen_) {
    count += candidates_[number].seeds.size();
  }
  context_.statistics()["refine.branches"] = count;
}

// All that is found.

bool Refiner::add(const Play& play) {
  if (options_.predicates == PredicateSource::Branches) {
    return add_branches(play);
  }
  return discovery_.propose(play, [this](const auto& group) {
    bool is_new = false;
    for (const Proposal& proposal : group) {
      is_new |= precision_.add(proposal.location, proposal.predicate);
    }
    return is_new;
  });
}

bool Refiner::add_branches(const Play& play) {
  for (const auto& group :
       discovery_.propose_branches(play, options_.candidates)) {
    const std::size_t before = seeds_.size();
    seeds_.insert(seeds_.end(), group.begin(), group.end());
    support::sort_unique(seeds_);
    if (seeds_.size() == before) continue;
    precision_ = inference_.infer(seeds_);
    return true;
  }
  return false;
}

// Few of them.

bool Refiner::add_few(const Play& play) {
  const std::size_t before = num_predicates_;
  Ruled ruled{elimination_.remember(play), {}};
  std::vector<std::uint32_t> recent;
  Choice first;  // What is taken if nothing may be spent on finding out.
  const auto take = [&](const auto& group) {
    for (const auto& found : group) note(recent, add_candidate(found));
    track_candidates();
    const Stopwatch watch(context_.statistics()["refine.minimise_us"]);
    ruled.sets = sets_against(ruled.play, recent);
    const Choice all = with_chosen(recent);
    const bool is_new = all != chosen_ || num_predicates_ > before;
    if (first.empty() && is_new) first = all;
    if (!ruled.sets.empty()) {
      ruled.sought_among = num_predicates_;
    } else if (is_new && budget_.calls_left() == 0) {
      ruled.sets = {first};
    }
    return !ruled.sets.empty();
  };
  if (options_.predicates == PredicateSource::Branches) {
    std::ranges::any_of(discovery_.propose_branches(play, options_.candidates),
                        take);
  } else {
    discovery_.propose(play, take);
  }
  const Stopwatch watch(context_.statistics()["refine.minimise_us"]);
  // It may come back, with other claims.
  if (ruled.sets.empty()) ruled.sets = {everything()};
  ruled_out_.push_back(std::move(ruled));
  choose(recent);
  return !candidates_.empty();
}

/// What the predicates of one candidate have in common: the term that they
/// compare with constants, or the predicate itself.
Term Refiner::key_of(Term predicate) const {
  const auto compared = comparison_with_constant(predicate);
  const bool is_alone = options_.predicates == PredicateSource::Branches &&
                        options_.candidates == Candidates::Play;
  return compared && !is_alone ? compared->left : predicate;
}

std::uint32_t Refiner::candidate(Term predicate) {
  const auto [at, is_new] = index_.try_emplace(
      key_of(predicate), static_cast<std::uint32_t>(candidates_.size()));
  if (is_new) candidates_.push_back({{}, Precision(num_locations_), false});
  return at->second;
}

std::uint32_t Refiner::add_candidate(const Proposal& found) {
  const std::uint32_t number = candidate(found.predicate);
  Candidate& to = candidates_[number];
  if (to.precision.add(found.location, found.predicate)) {
    ++num_predicates_;
    to.is_tracked = false;
  }
  return number;
}

std::uint32_t Refiner::add_candidate(Term seed) {
  const std::uint32_t number = candidate(seed);
  Candidate& to = candidates_[number];
  if (std::ranges::count(to.seeds, seed) == 0) {
    to.seeds.push_back(seed);
    ++num_predicates_;
    to.is_tracked = false;
  }
  return number;
}

void Refiner::track_candidates() {
  for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
    Candidate& c = candidates_[i];
    if (c.is_tracked) continue;
    c.is_tracked = true;
    if (!c.seeds.empty()) c.precision = inference_.infer(c.seeds);
    elimination_.track(i, c.precision);
  }
}

bool Refiner::eliminates(const Choice& choice, std::uint32_t play) {
  if (context_.exhausted() || budget_.calls_left() == 0) return false;
  return test(choice, play) == Elimination::Outcome::Eliminated;
}

Elimination::Outcome Refiner::test(const Choice& choice, std::uint32_t play) {
  const Budget::Asking asking(budget_);
  return elimination_.test(choice, play);
}

/// Sets of candidates that eliminate a play; none if all together do not.
std::vector<Choice> Refiner::sets_against(
    std::uint32_t play, const std::vector<std::uint32_t>& recent) {
  if (budget_.calls_left() == 0) return {};
  if (options_.minimise == Minimise::Optimal) {
    Choice order = recent;
    for (const std::uint32_t number : everything()) note(order, number);
    return smallest_sets(order, play);
  }
  for (const Choice& all : {with_chosen(recent), everything()}) {
    if (eliminates(all, play)) return {all};  // Is reduced later.
  }
  return {};
}

std::vector<Choice> Refiner::smallest_sets(const Choice& order,
                                           std::uint32_t play) {
  std::vector<Choice> parts = elimination_.parts(order, play);
  std::erase_if(parts, [&](Choice part) {  // Which no subset does either.
    std::ranges::sort(part);
    return test(part, play) == Elimination::Outcome::Admitted;
  });
  std::vector<Choice> sets = eliminating_sets(
      parts, options_.bounds,
      [&](const Choice& choice) { return eliminates(choice, play); });
  context_.statistics()["refine.sets"] += sets.size();
  std::uint64_t& largest = context_.statistics()["refine.largest_set"];
  for (const Choice& set : sets) largest = std::max(largest, set.size());
  return sets;
}

/// Whether there are half as many predicates more than when sets were sought.
/// If they were sought with each new predicate, the smallest choice would
/// change from one iteration to the next, and there would be more of them.
bool Refiner::is_worth_seeking(const Ruled& ruled) const {
  return 2 * num_predicates_ >= 3 * ruled.sought_among;
}

/// Looks for sets against plays for which there was no time before, and for
/// sets of candidates that were not there before.
void Refiner::settle() {
  for (Ruled& ruled : ruled_out_) {
    if (!is_worth_seeking(ruled) || !budget_.has_plenty()) continue;
    std::vector<Choice> sets = smallest_sets(everything(), ruled.play);
    if (sets.empty()) continue;
    if (ruled.sought_among == 0) ruled.sets.clear();
    for (Choice& set : sets) {
      if (!has_set(ruled, set)) ruled.sets.push_back(std::move(set));
    }
    ruled.sought_among = num_predicates_;
  }
}

Choice Refiner::with_chosen(const std::vector<std::uint32_t>& recent) const {
  Choice result = recent;
  result.insert(result.end(), chosen_.begin(), chosen_.end());
  support::sort_unique(result);
  return result;
}

void Refiner::choose(const std::vector<std::uint32_t>& recent) {
  if (options_.minimise == Minimise::Optimal) {
    settle();
    std::vector<std::vector<Choice>> requirements;
    for (const Ruled& ruled : ruled_out_) requirements.push_back(ruled.sets);
    Minimum least = minimum(requirements, chosen_, budget_.sets_left());
    budget_.note_minimum(least.effort);
    chosen_ = std::move(least.choice);
  } else {
    // What matters most is left out last.
    Choice order(recent.rbegin(), recent.rend());
    const auto add = [&](const Choice& more) {
      for (const std::uint32_t number : more) note(order, number);
    };
    add(ruled_out_.back().sets.front());
    add(chosen_);
    std::ranges::reverse(order);
    chosen_ = greedy(
        order, [this](const Choice& choice) { return rules_out_all(choice); });
  }
  AGON_ASSERT(std::ranges::all_of(
      ruled_out_, [&](const Ruled& ruled) { return has_set(ruled, chosen_); }));
}

bool Refiner::has_set(const Ruled& ruled, const Choice& choice) {
  return std::ranges::any_of(ruled.sets, [&](const Choice& set) {
    return std::ranges::includes(choice, set);
  });
}

bool Refiner::rules_out_all(const Choice& choice) {
  return std::ranges::all_of(ruled_out_, [&](Ruled& ruled) {
    if (has_set(ruled, choice)) return true;
    for (const Choice& part : elimination_.parts(choice, ruled.play)) {
      if (!eliminates(part, ruled.play)) continue;
      ruled.sets.push_back(part);
      return true;
    }
    return false;
  });
}

Precision Refiner::precision_of(const Choice& choice) const {
  Precision result(num_locations_);
  for (const std::uint32_t number : choice) {
    result.add(candidates_[number].precision);
  }
  return result;
}

Choice Refiner::everything() const {
  Choice result(candidates_.size());
  for (std::uint32_t i = 0; i < result.size(); ++i) result[i] = i;
  return result;
}

}  // namespace agon::refine
