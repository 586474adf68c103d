// SPDX-License-Identifier: Apache-2.0
#include "evidence/tracker.h"

namespace agon::evidence {

Tracker::Tracker(const lts::Lts& spec) : spec_(spec) {
  states_ = closure({spec.initial()});
}

bool Tracker::take(const std::string& action) {
  const auto label = spec_.labels()->find(action);
  std::set<lts::State> next;
  for (const lts::State state : states_) {
    for (const lts::Transition t : spec_.out(state)) {
      if (label && t.label == *label) next.insert(t.target);
    }
  }
  states_ = closure(std::move(next));
  return !states_.empty();
}

std::vector<std::string> Tracker::allowed() const {
  std::set<std::string> names;
  for (const lts::State state : states_) {
    for (const lts::Transition t : spec_.out(state)) {
      if (t.label != lts::kTau) names.insert(spec_.labels()->name(t.label));
    }
  }
  return {names.begin(), names.end()};
}

std::set<lts::State> Tracker::closure(std::set<lts::State> states) const {
  std::vector<lts::State> open(states.begin(), states.end());
  while (!open.empty()) {
    const lts::State state = open.back();
    open.pop_back();
    for (const lts::Transition t : spec_.out(state)) {
      if (t.label == lts::kTau && states.insert(t.target).second) {
        open.push_back(t.target);
      }
    }
  }
  return states;
}

}  // namespace agon::evidence
