// SPDX-License-Identifier: Apache-2.0
#include "helpers/naive_preorders.h"

#include <map>
#include <queue>

namespace agon::test {

using lts::Label;
using lts::Lts;
using lts::State;
using States = std::set<State>;

namespace {

States step(const Lts& lts, const States& from, Label label) {
  States result;
  for (const State s : from) {
    for (const auto& t : lts.out(s)) {
      if (t.label == label) result.insert(t.target);
    }
  }
  return result;
}

States close(const Lts& lts, const States& from) {
  States result;
  for (const State s : from) result.merge(silently(lts, s));
  return result;
}

bool can_answer(const Lts& spec, State q, Label label, State p_next,
                const Relation& relation, bool weak) {
  const States answers = weak ? weakly(spec, q, label) : step(spec, {q}, label);
  for (const State q_next : answers) {
    if (relation.contains({p_next, q_next})) return true;
  }
  return false;
}

}  // namespace

States silently(const Lts& lts, State state) {
  States result{state};
  for (bool grows = true; grows;) {
    const std::size_t before = result.size();
    result.merge(step(lts, result, lts::kTau));
    grows = result.size() > before;
  }
  return result;
}

States weakly(const Lts& lts, State state, Label label) {
  const States before = silently(lts, state);
  if (label == lts::kTau) return before;
  return close(lts, step(lts, before, label));
}

Relation naive_simulation(const Lts& impl, const Lts& spec, bool weak) {
  Relation relation;
  for (std::size_t p = 0; p < impl.num_states(); ++p) {
    for (std::size_t q = 0; q < spec.num_states(); ++q) {
      relation.emplace(State::at(p), State::at(q));
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto pair = relation.begin(); pair != relation.end();) {
      bool holds = true;
      for (const auto& t : impl.out(pair->first)) {
        holds = holds && can_answer(spec, pair->second, t.label, t.target,
                                    relation, weak);
      }
      changed = changed || !holds;
      pair = holds ? std::next(pair) : relation.erase(pair);
    }
  }
  return relation;
}

std::optional<std::size_t> naive_trace_violation(const Lts& impl,
                                                 const Lts& spec, bool weak) {
  using Pair = std::pair<States, States>;
  const auto start = [&](const Lts& lts) {
    return weak ? silently(lts, lts.initial()) : States{lts.initial()};
  };
  std::map<Pair, std::size_t> depth;
  std::queue<Pair> queue;
  queue.push({start(impl), start(spec)});
  depth[queue.front()] = 0;
  while (!queue.empty()) {
    const Pair pair = queue.front();
    queue.pop();
    for (std::size_t l = weak ? 1 : 0; l < impl.labels()->size(); ++l) {
      States ps = step(impl, pair.first, Label::at(l));
      States qs = step(spec, pair.second, Label::at(l));
      if (ps.empty()) continue;
      if (qs.empty()) return depth[pair] + 1;
      const Pair next = weak ? Pair{close(impl, ps), close(spec, qs)}
                             : Pair{std::move(ps), std::move(qs)};
      if (depth.emplace(next, depth[pair] + 1).second) queue.push(next);
    }
  }
  return std::nullopt;
}

}  // namespace agon::test
