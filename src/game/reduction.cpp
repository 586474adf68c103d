// SPDX-License-Identifier: Apache-2.0
#include "game/reduction.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "game/move_table.h"
#include "game/trace_masks.h"
#include "lts/explore.h"
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

std::size_t Reduction::worthwhile_after(lts::Successors& impl,
                                        lts::Successors& spec,
                                        const Tuning& tuning) {
  const Lts* const i = impl.as_explicit();
  const Lts* const s = spec.as_explicit();
  if (i == nullptr || s == nullptr) return tuning.build_after;
  return tuning.reduce_after * (i->num_states() + s->num_states());
}

std::optional<Reduction::Side> Reduction::build(lts::Successors& system,
                                                const Tuning& tuning,
                                                support::Context& context) {
  if (const Lts* const lts = system.as_explicit()) {
    return Side{{std::shared_ptr<const void>(), lts}, {}, {}};
  }
  auto built = lts::explore_at_most(tuning.build_at_most, system, context);
  if (!built) return std::nullopt;
  return Side{std::make_shared<const Lts>(std::move(built->lts)),
              std::move(built->original),
              {}};
}

std::optional<Reduction> Reduction::make(lts::Successors& impl,
                                         lts::Successors& spec,
                                         Semantics semantics,
                                         const Tuning& tuning,
                                         support::Context& context) {
  auto i = build(impl, tuning, context);
  if (!i) return std::nullopt;
  auto s = build(spec, tuning, context);
  if (!s) return std::nullopt;
  const std::size_t before = i->whole->num_states() + s->whole->num_states();
  const auto pays = [&](std::size_t after) { return after * 4 <= before * 3; };
  // Bisimilar states have the same traces; so where most states differ in
  // their short traces there is no need to try.
  if (!pays(TraceMasks(*i->whole, semantics).num_distinct() +
            TraceMasks(*s->whole, semantics).num_distinct())) {
    return std::nullopt;
  }
  i->quotient = quotient_of(*i->whole, semantics);
  s->quotient = quotient_of(*s->whole, semantics);
  if (!pays(i->quotient->lts.num_states() + s->quotient->lts.num_states())) {
    return std::nullopt;
  }
  return Reduction(*std::move(i), *std::move(s), semantics);
}

/// A step from a state on a shortest way to the challenge that its class makes:
/// either that challenge itself or a silent step inside the class.
Transition Reduction::first_step(State from, Transition towards) const {
  const auto& image = impl_.quotient->image;
  const auto is_inert = [&](State source, Transition t) {
    return semantics_ == Semantics::Weak && t.label == lts::kTau &&
           image[t.target.index()] == image[source.index()];
  };
  std::map<State, Transition> first;  // The step with which each was reached.
  std::vector<State> order{from};
  for (std::size_t head = 0; head < order.size(); ++head) {
    const State here = order[head];
    for (const Transition& t : impl_.whole->out(here)) {
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
  lts::ExplicitSuccessors spec(*spec_.whole);
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
  visit({impl_.whole->initial(), spec_.whole->initial()});
  for (std::size_t head = 0; head < order.size(); ++head) {
    const Position here = order[head];
    const Transition step = first_step(
        here.impl,
        plan.at({impl_.image(here.impl), spec_.image(here.spec)})->challenge);
    Strategy::Node node{{impl_.back(here.impl), spec_.back(here.spec)},
                        {step.label, impl_.back(step.target)},
                        {}};
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
  std::vector<Progress> order{{impl_.whole->initial(), 0}};
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
        const Transition step = reached_by.at(here).second;
        trace.steps.push_back({step.label, impl_.back(step.target)});
      }
      std::reverse(trace.steps.begin(), trace.steps.end());
      return trace;
    }
    for (const Transition& t : impl_.whole->out(here.first)) {
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
