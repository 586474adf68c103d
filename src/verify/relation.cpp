// SPDX-License-Identifier: Apache-2.0
#include "verify/relation.h"

#include <algorithm>
#include <map>
#include <set>

namespace agon::verify {
namespace {

using lts::Label;
using lts::Lts;
using lts::State;
using States = std::vector<State>;

/// The states that a specification can get to.
class WeakSteps {
 public:
  explicit WeakSteps(const Lts& spec) : spec_(spec) {}

  States closure(States states) const {
    std::set<State> seen(states.begin(), states.end());
    while (!states.empty()) {
      const State at = states.back();
      states.pop_back();
      for (const lts::Transition t : spec_.out(at)) {
        if (t.label == lts::kTau && seen.insert(t.target).second) {
          states.push_back(t.target);
        }
      }
    }
    return {seen.begin(), seen.end()};
  }

  const States& after(const States& states, Label label) {
    const auto [at, is_new] = known_.try_emplace({states, label});
    if (!is_new) return at->second;
    States reached = closure(states);
    if (label != lts::kTau) {
      std::set<State> next;
      for (const State s : reached) {
        for (const lts::Transition t : spec_.out(s)) {
          if (t.label == label) next.insert(t.target);
        }
      }
      reached = closure({next.begin(), next.end()});
    }
    at->second = std::move(reached);
    return at->second;
  }

 private:
  const Lts& spec_;
  std::map<std::pair<States, Label>, States> known_;
};

/// The greatest simulation.
class Simulation {
 public:
  Simulation(const Lts& system, const Lts& spec)
      : system_(system),
        spec_(spec),
        steps_(spec),
        related_(system.num_states() * spec.num_states(), true) {}

  bool holds(State a, State s) const {
    return related_[a.index() * spec_.num_states() + s.index()];
  }

  void compute() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t a = 0; a < system_.num_states(); ++a) {
        for (std::size_t s = 0; s < spec_.num_states(); ++s) {
          if (!holds(State::at(a), State::at(s)) ||
              answers(State::at(a), State::at(s))) {
            continue;
          }
          related_[a * spec_.num_states() + s] = false;
          is_changed = true;
        }
      }
    }
  }

  /// The pairs that are needed from the start on, with one answer each.
  std::vector<RelatedPair> reachable() {
    std::vector<RelatedPair> result;
    std::set<std::pair<State, State>> seen;
    const auto enter = [&](State a, State s) {
      if (seen.insert({a, s}).second) result.push_back({a, {s}});
    };
    enter(system_.initial(), spec_.initial());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const RelatedPair pair = result[i];
      for (const lts::Transition t : system_.out(pair.state)) {
        enter(t.target, *answer(t, pair.spec.front()));
      }
    }
    return result;
  }

 private:
  std::optional<State> answer(lts::Transition challenge, State s) {
    if (challenge.label == lts::kTau && holds(challenge.target, s)) return s;
    for (const State next : steps_.after({s}, challenge.label)) {
      if (holds(challenge.target, next)) return next;
    }
    return std::nullopt;
  }
  bool answers(State a, State s) {
    return std::ranges::all_of(system_.out(a), [&](lts::Transition t) {
      return answer(t, s).has_value();
    });
  }

  const Lts& system_;
  const Lts& spec_;
  WeakSteps steps_;
  std::vector<bool> related_;
};

}  // namespace

std::optional<std::vector<RelatedPair>> simulation_relation(const Lts& system,
                                                            const Lts& spec) {
  Simulation simulation(system, spec);
  simulation.compute();
  if (!simulation.holds(system.initial(), spec.initial())) return std::nullopt;
  return simulation.reachable();
}

std::optional<std::vector<RelatedPair>> trace_relation(const Lts& system,
                                                       const Lts& spec,
                                                       std::size_t max_pairs) {
  WeakSteps steps(spec);
  std::vector<RelatedPair> result;
  std::map<State, std::vector<States>> known;
  // A pair with fewer states of the specification says more.
  const auto enter = [&](State a, const States& states) {
    std::vector<States>& sets = known[a];
    const bool is_known = std::ranges::any_of(sets, [&](const States& other) {
      return std::ranges::includes(states, other);
    });
    if (is_known) return;
    sets.push_back(states);
    result.push_back({a, states});
  };
  enter(system.initial(), steps.closure({spec.initial()}));
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result.size() > max_pairs) return std::nullopt;
    const RelatedPair pair = result[i];
    for (const lts::Transition t : system.out(pair.state)) {
      const States& next = steps.after(pair.spec, t.label);
      if (next.empty()) return std::nullopt;
      enter(t.target, next);
    }
  }
  return result;
}

}  // namespace agon::verify
