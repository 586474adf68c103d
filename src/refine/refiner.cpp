// SPDX-License-Identifier: Apache-2.0
#include "refine/refiner.h"

#include <algorithm>
#include <chrono>

#include "abstraction/predicate_inference.h"
#include "refine/elimination.h"

namespace agon::refine {

using abstraction::Precision;
using term::Kind;
using term::Term;

namespace {

/// What the predicates of one candidate have in common: the term that they
/// compare with constants, or the predicate itself.
Term key_of(Term predicate) {
  if (predicate.kind() != Kind::Equal) return predicate;
  const Term a = predicate.operand(0);
  const Term b = predicate.operand(1);
  if (b.is_constant()) return a;
  if (a.is_constant()) return b;
  return predicate;
}

/// Only what is played, not what an abstraction claimed.
Play bare(const Play& play) {
  Play result = play;
  for (Play::Node& node : result.nodes) {
    node.before.clear();
    node.after.clear();
  }
  return result;
}

/// Adds the time until it ends to a statistic.
class Stopwatch {
 public:
  explicit Stopwatch(std::uint64_t& microseconds)
      : microseconds_(microseconds), start_(std::chrono::steady_clock::now()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    microseconds_ += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::steady_clock::now() - start_)
            .count());
  }

 private:
  std::uint64_t& microseconds_;
  const std::chrono::steady_clock::time_point start_;
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
      start_(start),
      options_(options),
      context_(context),
      discovery_(steps, solutions, solver, start),
      precision_(steps.blocks().body().num_locations()) {}

bool Refiner::refine(std::span<const Play> plays) {
  bool is_finer = false;
  for (const Play& play : plays) {
    is_finer |= options_.minimise == Minimise::None ? add(play) : add_few(play);
  }
  return is_finer;
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
  for (const auto& group : discovery_.propose_branches(play)) {
    bool is_new = false;
    for (const Term seed : group) {
      const std::uint32_t number = candidate(seed);
      std::vector<Term>& seeds = candidates_[number].seeds;
      if (std::ranges::count(seeds, seed) > 0) continue;
      seeds.push_back(seed);
      is_new = true;
    }
    if (!is_new) continue;
    precision_ = precision_of(everything());
    return true;
  }
  return false;
}

// Few of them.

/// The candidates against a play, those that are likely to matter first.
std::vector<std::uint32_t> Refiner::collect(const Play& play) {
  if (options_.predicates == PredicateSource::Branches) {
    return collect_branches(play);
  }
  std::vector<std::uint32_t> recent;
  discovery_.propose(play, [&](const auto& group) {
    for (const Proposal& proposal : group) {
      const std::uint32_t number = candidate(proposal.predicate);
      std::vector<Proposal>& placed = candidates_[number].placed;
      if (std::ranges::count(placed, proposal) == 0) placed.push_back(proposal);
      note(recent, number);
    }
    return rules_out(everything(), {&play, 1});
  });
  return recent;
}

std::vector<std::uint32_t> Refiner::collect_branches(const Play& play) {
  std::vector<std::uint32_t> recent;
  for (const auto& group : discovery_.propose_branches(play)) {
    for (const Term seed : group) {
      const std::uint32_t number = candidate(seed);
      std::vector<Term>& seeds = candidates_[number].seeds;
      if (std::ranges::count(seeds, seed) == 0) seeds.push_back(seed);
      note(recent, number);
    }
  }
  return recent;
}

std::uint32_t Refiner::candidate(Term predicate) {
  const auto [at, is_new] = index_.try_emplace(
      key_of(predicate), static_cast<std::uint32_t>(candidates_.size()));
  if (is_new) candidates_.emplace_back();
  return at->second;
}

bool Refiner::add_few(const Play& play) {
  const auto count = [this] {
    std::size_t result = 0;
    for (const Candidate& c : candidates_) {
      result += c.placed.size() + c.seeds.size();
    }
    return result;
  };
  const std::size_t before = count();
  const std::vector<std::uint32_t> recent = collect(play);
  const Stopwatch watch(context_.statistics()["refine.minimise_us"]);
  if (rules_out(everything(), {&play, 1})) {
    ruled_out_.push_back(bare(play));
    if (options_.minimise == Minimise::Optimal) {
      sets_.push_back(sets_against(ruled_out_.back(), recent));
    }
    choose(recent);
    return true;
  }
  // Not yet enough; it will come back, with other claims.
  const bool is_finer = count() > before || chosen_ != everything();
  chosen_ = everything();
  precision_ = precision_of(chosen_);
  return is_finer;
}

void Refiner::choose(const std::vector<std::uint32_t>& recent) {
  if (options_.minimise == Minimise::Optimal) {
    chosen_ = minimum(sets_);
  } else {
    Choice order = chosen_;
    for (const std::uint32_t number : recent) note(order, number);
    const auto passes = [this](const Choice& choice) {
      return !context_.must_stop() && rules_out(choice, ruled_out_);
    };
    Choice sorted = order;
    std::ranges::sort(sorted);
    if (!passes(sorted)) order = everything();
    std::ranges::reverse(order);  // What matters most is left out last.
    chosen_ = greedy(order, passes);
  }
  precision_ = precision_of(chosen_);
}

std::vector<Choice> Refiner::sets_against(
    const Play& play, const std::vector<std::uint32_t>& recent) {
  Choice order(recent.begin(), recent.end());
  for (const std::uint32_t number : everything()) note(order, number);
  const auto passes = [&](const Choice& choice) {
    return !context_.must_stop() && rules_out(choice, {&play, 1});
  };
  std::vector<Choice> sets = eliminating_sets(order, options_.bounds, passes);
  if (sets.empty()) {
    std::ranges::reverse(order);
    sets.push_back(greedy(order, passes));
  }
  return sets;
}

bool Refiner::rules_out(const Choice& choice, std::span<const Play> plays) {
  const Precision precision = precision_of(choice);
  Elimination elimination(steps_, start_, precision);
  return std::ranges::all_of(
      plays, [&](const Play& play) { return elimination.eliminates(play); });
}

Precision Refiner::precision_of(const Choice& choice) const {
  Precision result(steps_.blocks().body().num_locations());
  std::vector<Term> seeds;
  for (const std::uint32_t number : choice) {
    const Candidate& candidate = candidates_[number];
    seeds.insert(seeds.end(), candidate.seeds.begin(), candidate.seeds.end());
    for (const Proposal& p : candidate.placed) {
      result.add(p.location, p.predicate);
    }
  }
  if (options_.predicates != PredicateSource::Branches) return result;
  std::ranges::sort(seeds);
  return abstraction::infer_predicates(steps_.blocks(),
                                       steps_.execution().liveness(), seeds);
}

Choice Refiner::everything() const {
  Choice result(candidates_.size());
  for (std::uint32_t i = 0; i < result.size(); ++i) result[i] = i;
  return result;
}

}  // namespace agon::refine
