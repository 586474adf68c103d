// SPDX-License-Identifier: Apache-2.0
#include "concurrent/describe.h"

#include <fmt/format.h>

#include "evidence/tracker.h"
#include "verify/counterexample.h"

namespace agon::concurrent {
namespace {

using evidence::SourceStep;

/// Puts the steps of all components into one order: those before an event come
/// when it is their component's next one.
class Merger {
 public:
  Merger(const Prepared& task, const std::vector<Executed>& executed)
      : task_(task), next_(executed.size()) {
    for (const Executed& each : executed) {
      steps_.push_back(
          verify::describe_path(each.component.task(), each.component.blocks(),
                                each.found.executions[each.branch]));
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      for (SourceStep& step : steps_[i]) step.component = task.components[i];
    }
  }

  void happens(const Event& event) {
    const bool is_start = event.name == spec::ProgramQuestion::kStart;
    if (!is_start) ++events_;
    for (const Participant& each : event.participants) {
      take(each.component, event, is_start);
    }
  }

  /// With what components do after their last event, if that is wanted.
  std::vector<SourceStep> finish(bool with_rest) {
    for (std::size_t i = 0; with_rest && i < steps_.size(); ++i) {
      while (next_[i] < steps_[i].size()) {
        merged_.push_back(std::move(steps_[i][next_[i]++]));
      }
    }
    return std::move(merged_);
  }

 private:
  void take(std::size_t component, const Event& event, bool is_start) {
    auto& steps = steps_[component];
    for (std::size_t& i = next_[component]; i < steps.size();) {
      SourceStep& step = steps[i++];
      const bool is_action = !step.action.empty();
      if (is_action) {
        step.action = event.name;
        step.text = event.name;
        step.event = events_;
      }
      if (!is_action || !is_start) merged_.push_back(std::move(step));
      if (is_action) return;
    }
  }

  const Prepared& task_;
  std::vector<std::vector<SourceStep>> steps_;  // By component.
  std::vector<std::size_t> next_;
  std::vector<SourceStep> merged_;
  std::size_t events_ = 0;
};

std::vector<std::string> allowed_instead_of_last(
    const lts::Lts& spec, const std::vector<std::string>& actions) {
  evidence::Tracker tracker(spec);
  for (std::size_t i = 0; i + 1 < actions.size(); ++i) tracker.take(actions[i]);
  return tracker.allowed();
}

}  // namespace

evidence::Counterexample describe(const Prepared& task,
                                  const std::vector<Move>& path,
                                  const std::vector<Executed>& executed) {
  evidence::Counterexample result;
  result.components = task.components;
  Merger merger(task, executed);
  for (const Move& move : path) {
    if (move.is_silent()) continue;
    const Event& event = task.composition.events[move.event];
    merger.happens(event);
    const bool is_shown = task.spec != nullptr
                              ? event.visible != lts::kTau
                              : event.name != spec::ProgramQuestion::kStart;
    if (is_shown) result.actions.push_back(event.name);
  }
  if (task.spec != nullptr && !result.actions.empty()) {
    result.allowed = allowed_instead_of_last(*task.spec, result.actions);
  }
  result.steps = merger.finish(task.spec == nullptr);
  for (std::size_t i = 0; i < executed.size(); ++i) {
    for (auto& [name, value] : verify::describe_start(
             executed[i].component.task(), executed[i].found)) {
      result.initial.emplace_back(
          fmt::format("{}.{}", task.components[i], name), std::move(value));
    }
  }
  return result;
}

}  // namespace agon::concurrent
