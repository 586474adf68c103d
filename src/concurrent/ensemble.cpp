// SPDX-License-Identifier: Apache-2.0
#include "concurrent/ensemble.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace agon::concurrent {
namespace {

constexpr auto kMoreThanAny = std::numeric_limits<std::size_t>::max();

}  // namespace

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

/// Those who take part, and then the others: who knows more events prevents
/// more.
std::vector<std::uint32_t> Ensemble::in_turn() const {
  std::vector<std::uint32_t> result(task_.components.size());
  std::iota(result.begin(), result.end(), 0);
  std::ranges::stable_sort(result, std::greater(), [&](std::uint32_t i) {
    return is_present(i) ? kMoreThanAny : num_events_[i];
  });
  return result;
}

// Classes are divided for one component of each model, since what happened is
// told in the classes of before. If that suffices nobody is asked who is left
// out; otherwise the first who cannot do it joins, which is enough.
Followed Ensemble::follow(const Tree& tree) {
  Followed result;
  result.runs.resize(task_.components.size());
  result.ends.resize(task_.components.size());
  for (const std::uint32_t i : in_turn()) {
    if (!is_present(i) && !result.divided.empty()) break;
    const std::uint32_t m = task_.composition.model_of[i];
    const LocalTree local = project(tree, i, result.ends[i]);
    auto run = find(i, local);
    if (context_.exhausted()) return {};
    if (run) {
      if (plays_simulation()) result.ends[i] = run->moves_of[result.ends[i]];
      result.runs[i] = std::move(*run);
    } else if (is_present(i)) {
      if (!result.divided.contains(m)) result.divided[m] = divide(m, local);
    } else {
      present_ |= bit(i);
      result.has_joined = true;
      break;
    }
  }
  if (result.has_joined || !result.divided.empty()) result.runs.clear();
  return result;
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
