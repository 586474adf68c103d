// SPDX-License-Identifier: Apache-2.0
#include "concurrent/model.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "support/error.h"

namespace agon::concurrent {

using lts::Label;
using lts::State;
using lts::Transition;

namespace {

/// A predicate abstraction, as it is asked for the moves of one label.
class ByAction final : public ByLabel {
 public:
  explicit ByAction(abstraction::AbstractProgram& program)
      : program_(program) {}

  State initial() override { return program_.initial(); }
  std::vector<Label> possible(State state) override {
    return program_.possible(state);
  }
  std::span<const Transition> expand(State state, Label label) override {
    return program_.expand(state, label);
  }

 private:
  abstraction::AbstractProgram& program_;
};

game::Strategy path_of(State at, const std::vector<Transition>& run) {
  game::Strategy result;
  for (const Transition t : run) {
    if (!result.nodes.empty()) {
      result.nodes.back().children = {
          static_cast<std::uint32_t>(result.nodes.size())};
    }
    result.nodes.push_back({{at, {}}, t, {}});
    at = t.target;
  }
  return result;
}

}  // namespace

AbstractComponent::AbstractComponent(const Model& model,
                                     const verify::Options& options,
                                     bool asks_for_deadlocks,
                                     smt::Solver& solver,
                                     support::Context& context)
    : original_{model.program, model.entry, model.any_state},
      task_{model.prepared.program,
            model.prepared.entry,
            model.actions,
            model.prepared.mathematical.get(),
            nullptr,
            &original_},
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
  by_label_ = std::make_unique<ByAction>(*program_);
  const bool has_two_levels = options_.levels == verify::Levels::Two;
  if (!has_two_levels) {
    behaviour_ = std::make_unique<AllMoves>(*program_);
  } else if (rests_.empty()) {
    behaviour_ = std::make_unique<VisibleMoves>(*by_label_);
  } else {  // What can be refused matters.
    behaviour_ = std::make_unique<SettledMoves>(*program_);
  }
  quotient_ = std::make_unique<Quotient>(
      *behaviour_, [this](State state) { return rest(state); },
      has_two_levels ? Merging::ByEnabledActions : Merging::None);
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

// Over pairs of a state and the number of labels taken: the greatest number
// first, and breadth first among equals, silent steps last. So steps that do
// not help need not be known.
std::optional<std::vector<Transition>> AbstractComponent::walk(
    State from, const std::vector<std::vector<Label>>& labels,
    const std::function<bool(State)>& is_end) {
  struct Visit {
    std::size_t parent;
    std::size_t taken;
    Transition by;
  };
  struct Turn {
    std::size_t visit;
    bool is_silent;
  };
  std::vector<Visit> visits;
  std::set<std::pair<std::size_t, State>> seen;
  std::vector<std::queue<Turn>> open(labels.size() + 1);
  std::size_t most = 0;
  const auto reach = [&](std::size_t parent, std::size_t taken, Transition by) {
    if (!seen.emplace(taken, by.target).second) return;
    open[taken].push({visits.size(), false});
    visits.push_back({parent, taken, by});
    most = std::max(most, taken);
  };
  reach(0, 0, {lts::kTau, from});
  while (true) {
    while (most > 0 && open[most].empty()) --most;
    if (open[most].empty()) return std::nullopt;
    const auto [i, is_silent] = open[most].front();
    open[most].pop();
    const Visit here = visits[i];
    const auto take = [&](Label label, std::size_t taken) {
      for (const Transition t : program_->expand(here.by.target, label)) {
        reach(i, taken, t);
      }
    };
    if (is_silent) {
      take(lts::kTau, here.taken);
      continue;
    }
    open[here.taken].push({i, true});
    if (here.taken < labels.size()) {
      for (const Label label : labels[here.taken]) take(label, here.taken + 1);
    } else if (is_end(here.by.target)) {
      std::vector<Transition> run;
      for (std::size_t k = i; k != 0; k = visits[k].parent) {
        run.push_back(visits[k].by);
      }
      std::ranges::reverse(run);
      return run;
    }
  }
}

std::optional<LocalRun> AbstractComponent::find_run(const LocalTree& path,
                                                    bool until_end) {
  std::vector<std::vector<Label>> labels;
  for (const LocalTree::Node& step : path.nodes) {
    if (step.locals.front() != lts::kTau) labels.push_back(step.locals);
  }
  const auto run = walk(program_->initial(), labels, [&](State state) {
    return !until_end || quotient_->is_like(state, path.nodes.back().after);
  });
  if (!run) return std::nullopt;
  return LocalRun{path_of(program_->initial(), *run), {}};
}

bool AbstractComponent::can_perform(const std::vector<Label>& labels) {
  const auto anywhere = [](State) { return true; };
  return walk(program_->initial(), {labels}, anywhere).has_value();
}

class AbstractComponent::Ability {
 public:
  Ability(Behaviour& behaviour, Quotient& quotient, const LocalTree& tree)
      : behaviour_(behaviour), quotient_(quotient), tree_(tree) {}

  /// A move to where all children can be followed.
  std::optional<Transition> move(State state, std::uint32_t at) {
    const auto known = moves_.find({state, at});
    if (known != moves_.end()) return known->second;
    const auto found = find_move(state, tree_.nodes[at]);
    moves_.insert({{state, at}, found});
    return found;
  }

 private:
  std::optional<Transition> find_move(State state,
                                      const LocalTree::Node& node) {
    for (const Label label : node.locals) {
      for (const State target : behaviour_.after(state, label)) {
        if (can_go_to(target, node)) return Transition{label, target};
      }
    }
    return std::nullopt;
  }

  bool can_go_to(State target, const LocalTree::Node& node) {
    return (!node.after.valid() || quotient_.class_of(target) == node.after) &&
           std::ranges::all_of(node.children, [&](std::uint32_t child) {
             return move(target, child).has_value();
           });
  }

  Behaviour& behaviour_;
  Quotient& quotient_;
  const LocalTree& tree_;
  std::map<std::pair<State, std::uint32_t>, std::optional<Transition>> moves_;
};

std::optional<LocalRun> AbstractComponent::find_tree(const LocalTree& tree) {
  Ability ability(*behaviour_, *quotient_, tree);
  if (!ability.move(program_->initial(), 0)) return std::nullopt;
  LocalRun result;
  result.moves_of.resize(tree.nodes.size());
  auto& made = result.strategy.nodes;
  std::vector<State> start(tree.nodes.size(), program_->initial());
  std::vector<std::optional<std::uint32_t>> parent(tree.nodes.size());
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Transition move = *ability.move(start[i], i);
    std::optional<std::uint32_t> last = parent[i];
    State at = start[i];
    const auto way =
        walk(at, {{move.label}}, [&](State end) { return end == move.target; });
    for (const Transition t : *way) {
      const auto own = static_cast<std::uint32_t>(made.size());
      if (last) made[*last].children.push_back(own);
      made.push_back({{at, {}}, t, {}});
      last = own;
      at = t.target;
    }
    result.moves_of[i] = *last;
    for (const std::uint32_t child : tree.nodes[i].children) {
      start[child] = move.target;
      parent[child] = last;
    }
  }
  return result;
}

// Where those that can go on are a union of classes, whoever gets there in the
// quotient can go on; and since the tree is not there, the start cannot. So one
// pass does what TWO Fig. 9 does step by step.
std::vector<Class> AbstractComponent::rule_out(const LocalTree& tree) {
  Ability ability(*behaviour_, *quotient_, tree);
  std::vector<std::vector<State>> able(tree.nodes.size());
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    const auto members = quotient_->members(tree.nodes[i].before);
    for (const State state : std::vector(members.begin(), members.end())) {
      if (ability.move(state, static_cast<std::uint32_t>(i))) {
        able[i].push_back(state);
      }
    }
  }
  const std::vector<Class> changed = quotient_->divide(able);
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
