// SPDX-License-Identifier: Apache-2.0
#include "helpers/naive_equivalences.h"

#include <map>
#include <set>
#include <utility>

namespace agon::test {
namespace {

using lts::kTau;
using lts::Label;
using lts::Lts;
using lts::State;
using lts::StateKind;
using lts::Transition;

Relation same_kind(const Lts& lts, Kinds kinds) {
  const std::size_t n = lts.num_states();
  Relation related(n, std::vector<char>(n, 1));
  if (kinds == Kinds::Ignore) return related;
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < n; ++t) {
      related[s][t] = lts.kind(State::at(s)) == lts.kind(State::at(t));
    }
  }
  return related;
}

/// Removes pairs with a move that has no answer until there are none such.
/// `answered(related, s, move, t)`: whether t can answer that move of s.
template <class Answered>
Relation greatest_fixpoint(const Lts& lts, Relation related, bool symmetric,
                           const Answered& answered) {
  const std::size_t n = lts.num_states();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t t = 0; t < n; ++t) {
        if (!related[s][t]) continue;
        bool good = true;
        for (const Transition& move : lts.out(State::at(s))) {
          good = good && answered(related, s, move, t);
        }
        if (good) continue;
        related[s][t] = 0;
        if (symmetric) related[t][s] = 0;
        changed = true;
      }
    }
  }
  return related;
}

/// reach[s]: the states after any number of silent steps, s included.
std::vector<std::set<std::size_t>> silent_reach(const Lts& lts) {
  std::vector<std::set<std::size_t>> reach(lts.num_states());
  for (std::size_t s = 0; s < reach.size(); ++s) {
    std::vector<std::size_t> pending{s};
    reach[s].insert(s);
    while (!pending.empty()) {
      const std::size_t u = pending.back();
      pending.pop_back();
      for (const Transition& t : lts.out(State::at(u))) {
        if (t.label != kTau) continue;
        if (reach[s].insert(t.target.index()).second) {
          pending.push_back(t.target.index());
        }
      }
    }
  }
  return reach;
}

/// The states after silent steps through `allowed` ones.
std::set<std::size_t> reach_within(const Lts& lts,
                                   const std::vector<char>& allowed,
                                   std::size_t from) {
  std::set<std::size_t> found{from};
  std::vector<std::size_t> pending{from};
  while (!pending.empty()) {
    const std::size_t u = pending.back();
    pending.pop_back();
    for (const Transition& t : lts.out(State::at(u))) {
      if (t.label != kTau || !allowed[t.target.index()]) continue;
      if (found.insert(t.target.index()).second) {
        pending.push_back(t.target.index());
      }
    }
  }
  return found;
}

std::set<std::size_t> close(const Lts& lts, std::set<std::size_t> set) {
  std::vector<std::size_t> pending(set.begin(), set.end());
  while (!pending.empty()) {
    const std::size_t u = pending.back();
    pending.pop_back();
    for (const Transition& t : lts.out(State::at(u))) {
      if (t.label == kTau && set.insert(t.target.index()).second) {
        pending.push_back(t.target.index());
      }
    }
  }
  return set;
}

std::map<Label, std::set<std::size_t>> moves_of_set(
    const Lts& lts, const std::set<std::size_t>& set, bool hide_silent) {
  std::map<Label, std::set<std::size_t>> moves;
  for (const std::size_t s : set) {
    for (const Transition& t : lts.out(State::at(s))) {
      if (t.label == kTau && hide_silent) continue;
      moves[t.label].insert(t.target.index());
    }
  }
  if (hide_silent) {
    for (auto& [label, targets] : moves) targets = close(lts, targets);
  }
  return moves;
}

}  // namespace

Relation naive_strong(const Lts& lts, Kinds kinds) {
  return greatest_fixpoint(
      lts, same_kind(lts, kinds), true,
      [&](const Relation& related, std::size_t, Transition move,
          std::size_t t) {
        for (const Transition& answer : lts.out(State::at(t))) {
          if (answer.label == move.label &&
              related[move.target.index()][answer.target.index()]) {
            return true;
          }
        }
        return false;
      });
}

Relation naive_simulation(const Lts& lts, Kinds kinds) {
  return greatest_fixpoint(
      lts, same_kind(lts, kinds), false,
      [&](const Relation& related, std::size_t, Transition move,
          std::size_t t) {
        for (const Transition& answer : lts.out(State::at(t))) {
          if (answer.label == move.label &&
              related[move.target.index()][answer.target.index()]) {
            return true;
          }
        }
        return false;
      });
}

Relation naive_weak(const Lts& lts, Kinds kinds) {
  const auto reach = silent_reach(lts);
  return greatest_fixpoint(
      lts, same_kind(lts, kinds), true,
      [&](const Relation& related, std::size_t, Transition move,
          std::size_t t) {
        const auto& good = related[move.target.index()];
        for (const std::size_t t1 : reach[t]) {
          if (move.label == kTau && good[t1]) return true;
          for (const Transition& step : lts.out(State::at(t1))) {
            if (step.label != move.label) continue;
            for (const std::size_t t3 : reach[step.target.index()]) {
              if (good[t3]) return true;
            }
          }
        }
        return false;
      });
}

Relation naive_branching(const Lts& lts, Kinds kinds) {
  const auto reach = silent_reach(lts);
  return greatest_fixpoint(
      lts, same_kind(lts, kinds), true,
      [&](const Relation& related, std::size_t s, Transition move,
          std::size_t t) {
        const auto& good = related[move.target.index()];
        if (move.label == kTau && good[t]) return true;
        const auto near = kinds == Kinds::Ignore
                              ? reach[t]
                              : reach_within(lts, related[s], t);
        for (const std::size_t t1 : near) {
          if (!related[s][t1]) continue;
          for (const Transition& step : lts.out(State::at(t1))) {
            if (step.label == move.label && good[step.target.index()]) {
              return true;
            }
          }
        }
        return false;
      });
}

Relation naive_silent_reach(const Lts& lts) {
  const std::size_t n = lts.num_states();
  const Relation same = same_kind(lts, Kinds::Respect);
  Relation result(n, std::vector<char>(n, 0));
  for (std::size_t s = 0; s < n; ++s) {
    for (const std::size_t t : reach_within(lts, same[s], s)) result[s][t] = 1;
  }
  return result;
}

lts::Partition naive_signatures(const Lts& lts) {
  using Signature = std::set<std::pair<Label, std::uint32_t>>;
  const std::size_t n = lts.num_states();
  lts::Partition result;
  result.class_of.resize(n);
  for (std::size_t s = 0; s < n; ++s) {
    result.class_of[s] = static_cast<std::uint32_t>(lts.kind(State::at(s)));
  }
  while (true) {
    std::vector<Signature> signature(n);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t s = n; s-- > 0;) {
        const std::size_t before = signature[s].size();
        for (const auto& [label, to] : lts.out(State::at(s))) {
          const std::uint32_t c = result.class_of[to.index()];
          if (label == kTau && c == result.class_of[s]) {
            const Signature inherited = signature[to.index()];
            signature[s].insert(inherited.begin(), inherited.end());
          } else {
            signature[s].insert({label, c});
          }
        }
        changed = changed || signature[s].size() != before;
      }
    }
    std::map<std::pair<std::uint32_t, Signature>, std::uint32_t> number;
    for (std::size_t s = 0; s < n; ++s) {
      const auto fresh = static_cast<std::uint32_t>(number.size());
      auto& c = result.class_of[s];
      c = number.try_emplace({c, signature[s]}, fresh).first->second;
    }
    if (number.size() == result.num_classes) return result;
    result.num_classes = static_cast<std::uint32_t>(number.size());
  }
}

Lts forward_silence(const Lts& lts) {
  lts::LtsBuilder builder(lts.labels());
  builder.ensure_states(lts.num_states());
  builder.set_initial(lts.initial());
  for (std::size_t s = 0; s < lts.num_states(); ++s) {
    builder.set_kind(State::at(s), lts.kind(State::at(s)));
    for (const Transition& t : lts.out(State::at(s))) {
      const State source = State::at(s);
      const bool turn = t.label == kTau && t.target < source;
      builder.add_transition(turn ? t.target : source, t.label,
                             turn ? source : t.target);
    }
  }
  return std::move(builder).build();
}

bool naive_same_traces(const Lts& left, const Lts& right, bool hide_silent) {
  using Set = std::set<std::size_t>;
  const auto start = [&](const Lts& lts) {
    const Set set{lts.initial().index()};
    return hide_silent ? close(lts, set) : set;
  };
  std::set<std::pair<Set, Set>> seen{{start(left), start(right)}};
  std::vector<std::pair<Set, Set>> pending(seen.begin(), seen.end());
  while (!pending.empty()) {
    const auto [l, r] = pending.back();
    pending.pop_back();
    const auto from_left = moves_of_set(left, l, hide_silent);
    const auto from_right = moves_of_set(right, r, hide_silent);
    if (from_left.size() != from_right.size()) return false;
    for (const auto& [label, next] : from_left) {
      const auto found = from_right.find(label);
      if (found == from_right.end()) return false;
      if (seen.emplace(next, found->second).second) {
        pending.emplace_back(next, found->second);
      }
    }
  }
  return true;
}

bool agrees(const lts::Partition& partition, const Relation& relation) {
  for (std::size_t s = 0; s < relation.size(); ++s) {
    for (std::size_t t = 0; t < relation.size(); ++t) {
      const bool together = partition.same(State::at(s), State::at(t));
      if (together != (relation[s][t] && relation[t][s])) return false;
    }
  }
  return true;
}

Lts disjoint_union(const Lts& left, const Lts& right) {
  lts::LtsBuilder builder(left.labels());
  const auto copy = [&](const Lts& lts) {
    const std::size_t base = builder.num_states();
    for (std::size_t s = 0; s < lts.num_states(); ++s) {
      builder.add_state(lts.kind(State::at(s)));
    }
    for (std::size_t s = 0; s < lts.num_states(); ++s) {
      for (const Transition& t : lts.out(State::at(s))) {
        builder.add_transition(State::at(base + s), t.label,
                               State::at(base + t.target.index()));
      }
    }
  };
  copy(left);
  copy(right);
  builder.set_initial(left.initial());
  return std::move(builder).build();
}

Lts decorate(Random& random, const Lts& lts) {
  lts::LtsBuilder builder(lts.labels());
  for (std::size_t s = 0; s < lts.num_states(); ++s) {
    const std::size_t dice = below(random, 8);
    builder.add_state(dice == 0   ? StateKind::Terminated
                      : dice == 1 ? StateKind::Error
                                  : StateKind::Ordinary);
    for (const Transition& t : lts.out(State::at(s))) {
      builder.add_transition(State::at(s), t.label, t.target);
      if (below(random, 6) == 0) {
        builder.add_transition(State::at(s), t.label, t.target);
      }
    }
  }
  builder.set_initial(lts.initial());
  return std::move(builder).build(lts::LtsBuilder::Duplicates::Keep);
}

RandomShape shape_of_round(std::size_t round) {
  if (round % 100 == 99) return {40, 2, 0.4, 2.5};
  switch (round % 6) {
    case 0:
      return {};
    case 1:
      return {5, 2, 0.3, 5.0};
    case 2:
      return {10, 2, 0.5, 1.3};
    case 3:
      return {8, 1, 0.75, 2.0};
    case 4:
      return {7, 2, 0.0, 2.5};
    default:
      return {12, 2, 0.6, 2.2};
  }
}

}  // namespace agon::test
