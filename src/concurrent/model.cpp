// SPDX-License-Identifier: Apache-2.0
#include "concurrent/model.h"

#include <algorithm>
#include <set>

#include "support/error.h"

namespace agon::concurrent {

using lts::Label;
using lts::State;
using lts::Transition;

AbstractComponent::AbstractComponent(const Model& model,
                                     const verify::Options& options,
                                     bool asks_for_deadlocks,
                                     smt::Solver& solver,
                                     support::Context& context)
    : task_{model.prepared.program, model.prepared.entry, model.actions,
            model.prepared.mathematical.get()},
      options_(options),
      component_(
          task_, options,
          asks_for_deadlocks ? abstraction::BlockMode::Waiting : options.blocks,
          solver, context),
      precision_(component_.refiner().precision()) {
  if (asks_for_deadlocks) rests_ = find_rests(model);
  rebuild();
}

void AbstractComponent::rebuild() {
  precision_ = component_.refiner().precision();
  program_ = std::make_unique<abstraction::AbstractProgram>(
      component_.steps(), component_.start(), precision_, task_.spec.labels(),
      task_.spec.alphabet());
  quotient_ = std::make_unique<Quotient>(
      *program_, [this](State state) { return rest(state); },
      options_.levels == verify::Levels::Two ? Merging::ByEnabledActions
                                             : Merging::None);
}

std::vector<Rest> AbstractComponent::find_rests(const Model& model) const {
  const abstraction::Blocks& blocks = component_.blocks();
  std::vector<Rest> result(blocks.body().num_locations(), Rest::None);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (blocks.is_waiting(ir::LocationId::at(i))) result[i] = Rest::Waiting;
  }
  for (std::size_t i = 0; i < blocks.body().edges().size(); ++i) {
    const ir::FunctionId action = blocks.action(ir::EdgeId::at(i));
    if (!action.valid()) continue;
    const std::string& name = task_.program[action].display;
    Rest& rest = result[blocks.body().edges()[i].to.index()];
    if (std::ranges::count(model.endings, name) > 0) rest = Rest::Ended;
    if (name == spec::ProgramQuestion::kStop) rest = Rest::Waiting;
  }
  return result;
}

std::uint32_t AbstractComponent::rest(State state) const {
  const ir::LocationId at = program_->location(state);
  const bool is_known = !rests_.empty() && at.valid();
  return static_cast<std::uint32_t>(is_known ? rests_[at.index()] : Rest::None);
}

void AbstractComponent::explore(support::Context& context) {
  quotient_->initial();
  for (std::size_t i = 0; i < program_->num_states(); ++i) {
    if (context.exhausted()) return;
    quotient_->class_of(State::at(i));
  }
}

// Breadth first over pairs of a state and the number of steps taken. A silent
// step takes none.
std::optional<std::vector<Transition>> AbstractComponent::find_run(
    const LocalTree& path, bool until_end) {
  struct Visit {
    std::size_t parent;
    std::size_t taken;
    Transition by;
  };
  std::vector<const LocalTree::Node*> visible;
  for (const LocalTree::Node& step : path.nodes) {
    if (step.locals.front() != lts::kTau) visible.push_back(&step);
  }
  const auto is_end = [&](State state) {
    return !until_end || quotient_->is_like(state, path.nodes.back().after);
  };
  std::vector<Visit> visits{{0, 0, {lts::kTau, program_->initial()}}};
  std::set<std::pair<std::size_t, State>> seen{{0, program_->initial()}};
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const Visit here = visits[i];
    const bool is_last = here.taken == visible.size();
    if (is_last && is_end(here.by.target)) {
      std::vector<Transition> run;
      for (std::size_t k = i; k != 0; k = visits[k].parent) {
        run.push_back(visits[k].by);
      }
      std::ranges::reverse(run);
      return run;
    }
    for (const Transition t : quotient_->moves(here.by.target)) {
      const bool is_silent = t.label == lts::kTau;
      if (!is_silent &&
          (is_last ||
           std::ranges::count(visible[here.taken]->locals, t.label) == 0)) {
        continue;
      }
      const std::size_t taken = here.taken + (is_silent ? 0 : 1);
      if (seen.emplace(taken, t.target).second) visits.push_back({i, taken, t});
    }
  }
  return std::nullopt;
}

/// For each node the members of its class that can go on as the tree does.
std::vector<std::vector<State>> AbstractComponent::able(const LocalTree& tree) {
  std::vector<std::vector<State>> result(tree.nodes.size());
  std::vector<std::set<State>> sets(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const LocalTree::Node& node = tree.nodes[i];
    const auto can_go_to = [&](State state) {
      return (!node.after.valid() ||
              quotient_->class_of(state) == node.after) &&
             std::ranges::all_of(node.children, [&](std::uint32_t child) {
               return sets[child].contains(state);
             });
    };
    const auto members = quotient_->members(node.before);
    for (const State state : std::vector(members.begin(), members.end())) {
      const auto moves = quotient_->moves(state);
      const bool goes_on = std::ranges::any_of(moves, [&](const Transition t) {
        return std::ranges::count(node.locals, t.label) > 0 &&
               can_go_to(t.target);
      });
      if (goes_on) result[i].push_back(state);
    }
    sets[i].insert(result[i].begin(), result[i].end());
  }
  return result;
}

std::optional<game::Strategy> AbstractComponent::find_tree(
    const LocalTree& tree) {
  const std::vector<std::vector<State>> sets = able(tree);
  if (std::ranges::count(sets[0], program_->initial()) == 0) {
    return std::nullopt;
  }
  game::Strategy result;
  result.nodes.resize(tree.nodes.size());
  result.nodes[0].position.impl = program_->initial();
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const LocalTree::Node& node = tree.nodes[i];
    game::Strategy::Node& made = result.nodes[i];
    made.children = node.children;
    for (const Transition t : quotient_->moves(made.position.impl)) {
      const bool goes_on =
          std::ranges::count(node.locals, t.label) > 0 &&
          (!node.after.valid() ||
           quotient_->class_of(t.target) == node.after) &&
          std::ranges::all_of(node.children, [&](std::uint32_t child) {
            return std::ranges::count(sets[child], t.target) > 0;
          });
      if (!goes_on) continue;
      made.challenge = t;
      break;
    }
    for (const std::uint32_t child : node.children) {
      result.nodes[child].position.impl = made.challenge.target;
    }
  }
  return result;
}

// Where those that can go on are a union of classes, whoever gets there in the
// quotient can go on; and since the tree is not there, the start cannot. So one
// pass does what TWO Fig. 9 does step by step.
std::vector<Class> AbstractComponent::rule_out(const LocalTree& tree) {
  const std::vector<Class> changed = quotient_->divide(able(tree));
  AGON_ASSERT(!changed.empty());
  return changed;
}

refine::Play AbstractComponent::play(const game::Strategy& tree) {
  auto play = refine::unfold(
      tree, *program_, component_.blocks().body().entry(), tree.nodes.size());
  AGON_ASSERT(play.has_value());
  return *std::move(play);
}

}  // namespace agon::concurrent
