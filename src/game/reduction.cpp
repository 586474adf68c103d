// SPDX-License-Identifier: Apache-2.0
#include "game/reduction.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "game/move_table.h"
#include "game/trace_masks.h"
#include "lts/explore.h"
#include "support/error.h"
#include "support/hash.h"
#include "support/sort_unique.h"

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

/// How the members of classes come to make the challenges of their classes: a
/// table from a class and a challenge to the first steps of shortest ways,
/// which are the challenge itself or a silent step inside the class.
class Reduction::Ways {
 public:
  explicit Ways(const Side& side) : side_(side) {
    members_.resize(side.quotient->lts.num_states());
    for (std::size_t i = 0; i < side.quotient->image.size(); ++i) {
      const State image = side.quotient->image[i];
      if (image.valid()) members_[image.index()].push_back(State::at(i));
    }
  }

  Transition first_step(State from, Transition towards) {
    const auto key = std::pair(side_.image(from), towards);
    auto way = steps_.find(key);
    if (way == steps_.end()) {
      way = steps_.emplace(key, search(side_.image(from), towards)).first;
    }
    const auto step = way->second.find(from.value());
    AGON_ASSERT(step != way->second.end());  // All members can do the same.
    return step->second;
  }

 private:
  using Steps = tsl::robin_map<std::uint32_t, Transition>;

  /// A search backwards from the members that can make the challenge at once.
  Steps search(State image, Transition towards) const {
    Steps steps;
    std::vector<State> order;
    tsl::robin_map<std::uint32_t, std::vector<State>> sources;
    for (const State member : members_[image.index()]) {
      for (const Transition& t : side_.whole->out(member)) {
        if (t.label == towards.label &&
            side_.image(t.target) == towards.target) {
          if (steps.emplace(member.value(), t).second) order.push_back(member);
        } else if (t.label == lts::kTau && side_.image(t.target) == image) {
          sources[t.target.value()].push_back(member);
        }
      }
    }
    for (std::size_t head = 0; head < order.size(); ++head) {
      for (const State source : sources[order[head].value()]) {
        const Transition silent{lts::kTau, order[head]};
        if (steps.emplace(source.value(), silent).second) {
          order.push_back(source);
        }
      }
    }
    return steps;
  }

  const Side& side_;
  std::vector<std::vector<State>> members_;  // By class.
  std::map<std::pair<State, Transition>, Steps> steps_;
};

std::optional<Strategy> Reduction::lift(const Strategy& strategy,
                                        support::Context& context) const {
  std::map<Position, Transition> plan;
  for (const Strategy::Node& node : strategy.nodes) {
    plan.emplace(node.position, node.challenge);
  }
  lts::ExplicitSuccessors spec(*spec_.whole);
  MoveTable answers(spec, semantics_, context);
  Ways ways(impl_);
  Strategy lifted;
  tsl::robin_map<std::uint64_t, std::uint32_t, support::MixHash> index;
  std::vector<Position> order;
  const auto visit = [&](Position position) {
    const auto [entry, is_new] = index.try_emplace(
        support::pair_key(position.impl.value(), position.spec.value()),
        static_cast<std::uint32_t>(order.size()));
    if (is_new) order.push_back(position);
    return entry->second;
  };
  visit({impl_.whole->initial(), spec_.whole->initial()});
  for (std::size_t head = 0; head < order.size(); ++head) {
    if (context.exhausted()) return std::nullopt;
    const Position here = order[head];
    const Transition step = ways.first_step(
        here.impl, plan.at({impl_.image(here.impl), spec_.image(here.spec)}));
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
    support::sort_unique(node.children);
    lifted.nodes.push_back(std::move(node));
  }
  if (context.exhausted()) return std::nullopt;  // Rows may have been cut.
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
