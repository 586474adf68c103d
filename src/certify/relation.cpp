// SPDX-License-Identifier: Apache-2.0
#include "certify/relation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "certify/rejected.h"

namespace agon::certify {
namespace {

using States = std::set<std::uint32_t>;

using Places = std::vector<std::uint32_t>;  // A state of each component.

class RelationCheck {
 public:
  RelationCheck(const evidence::Proof& proof,
                const spec::Composition& composition)
      : proof_(proof), composition_(composition), spec_(*composition.spec) {}

  void run() {
    if (proof_.spec_states != spec_.num_states()) {
      throw Rejected("the specification has another number of states");
    }
    read_steps();
    for (const evidence::CertifiedPair& pair : proof_.pairs) {
      if (pair.spec.empty())
        throw Rejected("a pair has no specification state");
      known_[pair.states].push_back({pair.spec.begin(), pair.spec.end()});
    }
    const Places start(proof_.components.size(), 0);
    if (!is_covered(start, after({spec_.initial().value()}, "tau"))) {
      throw Rejected("the start is not related to that of the specification");
    }
    for (const evidence::CertifiedPair& pair : proof_.pairs) check(pair);
  }

 private:
  void read_steps() {
    for (std::size_t i = 0; i < proof_.components.size(); ++i) {
      auto& steps = steps_.emplace_back(proof_.components[i].states.size());
      for (const evidence::CertifiedStep& step : proof_.components[i].steps) {
        if (step.label != "tau" &&
            !composition_.visible[i].contains(step.label)) {
          throw Rejected(
              fmt::format("'{}' is no action of a component", step.label));
        }
        steps[step.from][step.label].insert(step.to);
      }
    }
  }

  void check(const evidence::CertifiedPair& pair) {
    const States spec(pair.spec.begin(), pair.spec.end());
    for (std::size_t i = 0; i < pair.states.size(); ++i) {
      Places there = pair.states;
      for (const std::uint32_t next : targets(i, pair.states[i], {"tau"})) {
        there[i] = next;
        expect(pair, spec, "tau", there);
      }
    }
    for (const spec::Event& event : composition_.events) {
      Places there = pair.states;
      follow(pair, spec, event, 0, there);
    }
  }

  /// All ways in which the participants from `next` on can take part.
  void follow(const evidence::CertifiedPair& pair, const States& spec,
              const spec::Event& event, std::size_t next, Places& there) {
    if (next == event.participants.size()) {
      return expect(pair, spec, event.label, there);
    }
    const spec::Participant& each = event.participants[next];
    const std::uint32_t here = pair.states[each.component];
    for (const std::uint32_t to : targets(each.component, here, each.locals)) {
      there[each.component] = to;
      follow(pair, spec, event, next + 1, there);
    }
    there[each.component] = here;
  }

  States targets(std::size_t component, std::uint32_t state,
                 const std::set<std::string>& labels) const {
    States result;
    for (const auto& [label, targets] : steps_[component][state]) {
      if (labels.contains(label)) {
        result.insert(targets.begin(), targets.end());
      }
    }
    return result;
  }

  void expect(const evidence::CertifiedPair& pair, const States& spec,
              const std::string& label, const Places& there) {
    if (is_covered(there, after(spec, label))) return;
    throw Rejected(
        fmt::format("the step '{}' from ({}) to ({}) has no answer in the "
                    "relation from the "
                    "specification's states {{{}}}",
                    label, fmt::join(pair.states, ", "), fmt::join(there, ", "),
                    fmt::join(spec, ", ")));
  }

  /// Whether the states are related to some of these only.
  bool is_covered(const Places& states, const States& allowed) const {
    const auto found = known_.find(states);
    return found != known_.end() &&
           std::ranges::any_of(found->second, [&](const States& spec) {
             return std::ranges::includes(allowed, spec);
           });
  }

  /// The states that the specification can get to by an action, with silent
  /// steps before and after it.
  const States& after(const States& states, const std::string& label) {
    const auto [at, is_new] = after_.try_emplace({states, label});
    if (!is_new) return at->second;
    States reached = silently(states);
    if (label != "tau") {
      States next;
      for (const std::uint32_t s : reached) {
        for (const lts::Transition t : spec_.out(lts::State::at(s))) {
          if (t.label != lts::kTau && spec_.labels()->name(t.label) == label) {
            next.insert(t.target.value());
          }
        }
      }
      reached = silently(next);
    }
    return at->second = std::move(reached);
  }

  States silently(States states) const {
    std::vector<std::uint32_t> open(states.begin(), states.end());
    while (!open.empty()) {
      const std::uint32_t s = open.back();
      open.pop_back();
      for (const lts::Transition t : spec_.out(lts::State::at(s))) {
        if (t.label == lts::kTau && states.insert(t.target.value()).second) {
          open.push_back(t.target.value());
        }
      }
    }
    return states;
  }

  const evidence::Proof& proof_;
  const spec::Composition& composition_;
  const lts::Lts& spec_;
  /// By component, state and label.
  std::vector<std::vector<std::map<std::string, States>>> steps_;
  std::map<Places, std::vector<States>> known_;
  std::map<std::pair<States, std::string>, States> after_;
};

}  // namespace

void check_relation(const evidence::Proof& proof,
                    const spec::Composition& composition) {
  if (proof.components.size() != composition.visible.size()) {
    throw Rejected("it is about another number of components");
  }
  RelationCheck(proof, composition).run();
}

bool is_simulation(const evidence::Proof& proof) {
  return std::ranges::all_of(
      proof.pairs, [](const auto& pair) { return pair.spec.size() == 1; });
}

}  // namespace agon::certify
