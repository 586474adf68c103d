// SPDX-License-Identifier: Apache-2.0
#include "game/reduction.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "game/move_table.h"
#include "support/error.h"

namespace agon::game {

using lts::Lts;
using lts::State;
using lts::Transition;

namespace {

lts::Quotient quotient_of(const Lts& lts, Semantics semantics) {
  if (semantics == Semantics::Weak) {
    return quotient_with_image(lts, branching_bisimulation(lts),
                               lts::Inert::Drop);
  }
  return quotient_with_image(lts, strong_bisimulation(lts), lts::Inert::Keep);
}

}  // namespace

Reduction::Reduction(const Lts& impl, const Lts& spec, Semantics semantics)
    : impl_(impl),
      spec_(spec),
      semantics_(semantics),
      impl_quotient_(quotient_of(impl, semantics)),
      spec_quotient_(quotient_of(spec, semantics)) {}

std::optional<Reduction> Reduction::make(lts::Successors& impl,
                                         lts::Successors& spec,
                                         Semantics semantics) {
  const Lts* const i = impl.as_explicit();
  const Lts* const s = spec.as_explicit();
  if (i == nullptr || s == nullptr) return std::nullopt;
  Reduction reduction(*i, *s, semantics);
  const std::size_t before = i->num_states() + s->num_states();
  const std::size_t after =
      reduction.impl().num_states() + reduction.spec().num_states();
  if (after * 4 > before * 3) return std::nullopt;
  return reduction;
}

Position Reduction::image(Position position) const {
  return {impl_quotient_.image[position.impl.index()],
          spec_quotient_.image[position.spec.index()]};
}

/// A step from a state on a shortest way to the challenge that its class makes:
/// either that challenge itself or a silent step inside the class.
Transition Reduction::first_step(State from, Transition towards) const {
  const auto& image = impl_quotient_.image;
  const auto is_inert = [&](State source, Transition t) {
    return semantics_ == Semantics::Weak && t.label == lts::kTau &&
           image[t.target.index()] == image[source.index()];
  };
  std::map<State, Transition> first;  // The step with which each was reached.
  std::vector<State> order{from};
  for (std::size_t head = 0; head < order.size(); ++head) {
    const State here = order[head];
    for (const Transition& t : impl_.out(here)) {
      const Transition step = head == 0 ? t : first.at(here);
      if (is_inert(here, t)) {
        if (t.target != from && first.emplace(t.target, step).second) {
          order.push_back(t.target);
        }
      } else if (t.label == towards.label &&
                 image[t.target.index()] == towards.target) {
        return step;
      }
    }
  }
  AGON_ASSERT(!"every member of a class can do what the class can");
  return {};
}

Strategy Reduction::lift(const Strategy& strategy) const {
  std::map<Position, const Strategy::Node*> plan;
  for (const Strategy::Node& node : strategy.nodes) {
    plan.emplace(node.position, &node);
  }
  lts::ExplicitSuccessors spec(spec_);
  MoveTable answers(spec, semantics_);
  Strategy lifted;
  std::map<Position, std::uint32_t> index;
  std::vector<Position> order;
  const auto visit = [&](Position position) {
    const auto [entry, is_new] =
        index.try_emplace(position, static_cast<std::uint32_t>(order.size()));
    if (is_new) order.push_back(position);
    return entry->second;
  };
  visit({impl_.initial(), spec_.initial()});
  for (std::size_t head = 0; head < order.size(); ++head) {
    const Position here = order[head];
    const Transition step =
        first_step(here.impl, plan.at(image(here))->challenge);
    Strategy::Node node{here, step, {}};
    if (semantics_ == Semantics::Weak && step.label == lts::kTau) {
      node.children.push_back(visit({step.target, here.spec}));
    } else {
      const auto range = answers.on(answers.row(here.spec), step.label);
      for (const Transition& answer : answers.moves(range)) {
        node.children.push_back(visit({step.target, answer.target}));
      }
    }
    std::sort(node.children.begin(), node.children.end());
    node.children.erase(std::unique(node.children.begin(), node.children.end()),
                        node.children.end());
    lifted.nodes.push_back(std::move(node));
  }
  return lifted;
}

OffendingTrace Reduction::lift(OffendingTrace trace) const {
  // A breadth-first search for steps with these actions, over pairs of a state
  // and the number of actions done.
  using Progress = std::pair<State, std::size_t>;
  std::map<Progress, std::pair<Progress, Transition>> reached_by;
  std::vector<Progress> order{{impl_.initial(), 0}};
  const auto visit = [&](Progress from, Transition step, std::size_t done) {
    const Progress to{step.target, done};
    if (to == order.front() ||
        !reached_by.emplace(to, std::pair(from, step)).second) {
      return;
    }
    order.push_back(to);
  };
  for (std::size_t head = 0; head < order.size(); ++head) {
    Progress here = order[head];
    if (here.second == trace.actions.size()) {
      trace.steps.clear();
      for (; here != order.front(); here = reached_by.at(here).first) {
        trace.steps.push_back(reached_by.at(here).second);
      }
      std::reverse(trace.steps.begin(), trace.steps.end());
      return trace;
    }
    for (const Transition& t : impl_.out(here.first)) {
      if (t.label == trace.actions[here.second]) {
        visit(here, t, here.second + 1);
      } else if (semantics_ == Semantics::Weak && t.label == lts::kTau) {
        visit(here, t, here.second);
      }
    }
  }
  AGON_ASSERT(!"a quotient has no traces of its own");
  return trace;
}

}  // namespace agon::game
