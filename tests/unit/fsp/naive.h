// SPDX-License-Identifier: Apache-2.0
/// Systems of strings and sets, on which the definitions of FSP can be written
/// down as they stand. Slow, and independent of src/fsp and src/lts/operators.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lts/bisimulation.h"
#include "lts/lts.h"

namespace agon::fsp::test {

struct Naive {
  using Moves = std::set<std::pair<std::string, std::string>>;

  std::string initial;
  std::map<std::string, Moves> moves;  ///< Of every reachable state.
  std::map<std::string, lts::StateKind> kinds;
  std::set<std::string> alphabet;

  bool can_end() const {
    for (const auto& [state, kind] : kinds) {
      if (kind == lts::StateKind::Terminated) return true;
    }
    return false;
  }
};

inline Naive to_naive(const lts::Lts& lts) {
  Naive result;
  const auto name = [](lts::State s) { return std::to_string(s.value()); };
  result.initial = name(lts.initial());
  for (const lts::State state : lts::reachable(lts)) {
    result.kinds[name(state)] = lts.kind(state);
    auto& moves = result.moves[name(state)];
    for (const lts::Transition& t : lts.out(state)) {
      moves.emplace(lts.labels()->name(t.label), name(t.target));
    }
  }
  for (const lts::Label label : lts.alphabet()) {
    result.alphabet.insert(lts.labels()->name(label));
  }
  return result;
}

inline lts::State add(const Naive& system, lts::LtsBuilder& builder) {
  std::map<std::string, lts::State> states;
  for (const auto& [state, moves] : system.moves) {
    states[state] = builder.add_state(system.kinds.at(state));
  }
  for (const auto& [state, moves] : system.moves) {
    for (const auto& [label, target] : moves) {
      builder.add_transition(states.at(state), builder.labels()->intern(label),
                             states.at(target));
    }
  }
  return states.at(system.initial);
}

/// What differs between two systems: alphabets, numbers of states and
/// transitions, or behaviour. Empty if nothing does.
inline std::string difference(const Naive& a, const Naive& b) {
  if (a.alphabet != b.alphabet) return "alphabet";
  if (a.moves.size() != b.moves.size()) {
    return "states: " + std::to_string(a.moves.size()) + ", " +
           std::to_string(b.moves.size());
  }
  const auto count = [](const Naive& system) {
    std::size_t sum = 0;
    for (const auto& [state, moves] : system.moves) sum += moves.size();
    return sum;
  };
  if (count(a) != count(b)) return "transitions";
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  const lts::State in_a = add(a, builder);
  const lts::State in_b = add(b, builder);
  builder.set_initial(in_a);
  const lts::Lts both = std::move(builder).build();
  return lts::strong_bisimulation(both).same(in_a, in_b) ? "" : "behaviour";
}

}  // namespace agon::fsp::test
