// SPDX-License-Identifier: Apache-2.0
#include "verify/coverage.h"

#include <tsl/robin_set.h>

#include <cstdint>
#include <deque>

namespace agon::verify {
namespace {

using lts::Label;
using lts::State;

constexpr std::size_t kMostPairs = 200'000;

/// The pairs of states that program and specification can be in together.
class Pairs {
 public:
  Pairs(lts::Successors& program, const lts::Lts& spec)
      : program_(program), spec_(spec), reached_(spec.num_states()) {}

  std::optional<std::vector<bool>> reach(support::Context& context) {
    add(program_.initial(), spec_.initial());
    while (!open_.empty()) {
      if (seen_.size() > kMostPairs || context.must_stop()) return std::nullopt;
      const auto [p, s] = open_.back();
      open_.pop_back();
      step(p, s);
    }
    return reached_;
  }

 private:
  void add(State p, State s) {
    const std::uint64_t pair = (std::uint64_t{p.index()} << 32) | s.index();
    if (!seen_.insert(pair).second) return;
    reached_[s.index()] = true;
    open_.emplace_back(p, s);
  }

  void step(State p, State s) {
    for (const lts::Transition own : spec_.out(s)) {
      if (own.label == lts::kTau) add(p, own.target);
    }
    for (const lts::Transition t : program_.expand(p)) {
      if (t.label == lts::kTau) {
        add(t.target, s);
        continue;
      }
      for (const lts::Transition answer : spec_.out(s)) {
        if (answer.label == t.label) add(t.target, answer.target);
      }
    }
  }

  lts::Successors& program_;
  const lts::Lts& spec_;
  std::vector<bool> reached_;
  tsl::robin_set<std::uint64_t> seen_;
  std::vector<std::pair<State, State>> open_;
};

}  // namespace

std::optional<std::vector<bool>> reached_states(lts::Successors& program,
                                                const lts::Lts& spec,
                                                support::Context& context) {
  return Pairs(program, spec).reach(context);
}

std::vector<std::vector<Label>> ways_to_others(
    const lts::Lts& spec, const std::vector<bool>& reached,
    const std::set<Label>& never_performed) {
  std::vector<std::vector<Label>> result;
  std::vector<bool> seen(spec.num_states());
  std::deque<std::pair<State, std::vector<Label>>> open;
  open.emplace_back(spec.initial(), std::vector<Label>());
  seen[spec.initial().index()] = true;
  while (!open.empty()) {
    const auto [state, way] = std::move(open.front());
    open.pop_front();
    if (!reached[state.index()]) {
      result.push_back(way);
      continue;
    }
    for (const lts::Transition t : spec.out(state)) {
      if (seen[t.target.index()] || never_performed.contains(t.label)) continue;
      seen[t.target.index()] = true;
      open.emplace_back(t.target, way);
      if (t.label != lts::kTau) open.back().second.push_back(t.label);
    }
  }
  return result;
}

}  // namespace agon::verify
