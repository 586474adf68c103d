// SPDX-License-Identifier: Apache-2.0
#include "concurrent/ensemble.h"

#include <algorithm>

namespace agon::concurrent {

Ensemble::Ensemble(const Prepared& task, const verify::Options& options,
                   std::span<smt::Solver* const> solvers,
                   support::Context& context)
    : task_(task), options_(options), context_(context) {
  for (std::size_t i = 0; i < task.models.size(); ++i) {
    models_.push_back(std::make_unique<AbstractComponent>(
        *task.models[i], options, asks_for_deadlocks(), *solvers[i], context));
  }
  num_events_.resize(task.components.size());
  for (const Event& event : task.composition.events) {
    for (const Participant& each : event.participants) {
      ++num_events_[each.component];
    }
  }
  // One that is left out offers everything, so it would hide deadlocks.
  if (options.levels == verify::Levels::Two && !asks_for_deadlocks()) {
    present_ = present_at_first_ = 0;
  }
}

bool Ensemble::is_complete() const {
  for (std::uint32_t i = 0; i < task_.components.size(); ++i) {
    if (!is_present(i)) return false;
  }
  return true;
}

Composer Ensemble::compose() const {
  std::vector<Quotient*> quotients;
  for (const auto& model : models_) quotients.push_back(&model->quotient());
  return Composer(task_.composition, std::move(quotients), present_);
}

const std::vector<lts::Label>* Ensemble::locals_of(
    const Move& move, std::uint32_t component) const {
  static const std::vector<lts::Label> silent{lts::kTau};
  if (move.is_silent()) {
    return move.component == component ? &silent : nullptr;
  }
  for (const Participant& each :
       task_.composition.events[move.event].participants) {
    if (each.component == component) return &each.locals;
  }
  return nullptr;
}

/// The part of a component in what happens, and the last of its nodes in the
/// first branch. It takes part in the first event, as all do. Where a branch
/// ends for it does not matter except in a deadlock.
LocalTree Ensemble::project(const Tree& tree, std::uint32_t component,
                            std::uint32_t& end) const {
  LocalTree result;
  std::vector<std::uint32_t> last(tree.nodes.size());  // Of its own nodes.
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Tree::Node& node = tree.nodes[i];
    const std::vector<lts::Label>* const locals =
        locals_of(node.move, component);
    if (locals != nullptr) {
      const auto own = static_cast<std::uint32_t>(result.nodes.size());
      if (own > 0) result.nodes[last[i]].children.push_back(own);
      result.nodes.push_back(
          {*locals,
           node.before[component],
           node.after.empty() ? Class() : node.after[component],
           {}});
      last[i] = own;
    }
    for (const std::uint32_t child : node.children) last[child] = last[i];
  }
  for (LocalTree::Node& node : result.nodes) {
    if (node.children.empty() && !asks_for_deadlocks()) node.after = Class();
  }
  std::uint32_t leaf = 0;
  while (!tree.nodes[leaf].children.empty()) {
    leaf = tree.nodes[leaf].children.front();
  }
  end = last[leaf];
  return result;
}

/// In the game of simulation the places matter, otherwise just the actions.
std::optional<LocalRun> Ensemble::find(std::uint32_t component,
                                       const LocalTree& local) const {
  return plays_simulation()
             ? model(component).find_tree(local)
             : model(component).find_run(local, asks_for_deadlocks());
}

// Classes are divided for one component of each model, since what happened is
// told in the classes of before. If that suffices nobody else has to join.
Followed Ensemble::follow(const Tree& tree) {
  Followed result;
  std::vector<std::uint32_t> missing;
  for (std::uint32_t i = 0; i < task_.components.size(); ++i) {
    const std::uint32_t m = task_.composition.model_of[i];
    std::uint32_t end = 0;
    const LocalTree local = project(tree, i, end);
    auto run = find(i, local);
    if (context_.exhausted()) return {};
    if (run) {
      if (plays_simulation()) end = run->moves_of[end];
      result.runs.push_back(std::move(*run));
      result.ends.push_back(end);
    } else if (is_present(i)) {
      if (!result.divided.contains(m)) result.divided[m] = divide(m, local);
    } else {
      missing.push_back(i);
    }
  }
  if (result.runs.size() == task_.components.size()) return result;
  result.runs.clear();
  result.has_joined = result.divided.empty();
  if (result.has_joined) let_join(missing);
  return result;
}

/// One is enough. Who takes part in more prevents more.
void Ensemble::let_join(const std::vector<std::uint32_t>& candidates) {
  const auto most = std::ranges::max_element(
      candidates, {}, [&](std::uint32_t i) { return num_events_[i]; });
  present_ |= bit(*most);
}

/// As fine as is known to matter, since what is coarse once will be so again.
std::vector<Class> Ensemble::divide(std::uint32_t model,
                                    const LocalTree& local) {
  std::vector<Class> changed = models_[model]->rule_out(local);
  const auto more = models_[model]->quotient().stabilise();
  changed.insert(changed.end(), more.begin(), more.end());
  return changed;
}

}  // namespace agon::concurrent
