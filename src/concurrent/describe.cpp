// SPDX-License-Identifier: Apache-2.0
#include "concurrent/describe.h"

#include <fmt/format.h>

#include "concurrent/merge.h"
#include "evidence/tracker.h"
#include "verify/counterexample.h"

namespace agon::concurrent {
namespace {

std::vector<std::vector<evidence::SourceStep>> steps_of(
    const std::vector<Executed>& executed) {
  std::vector<std::vector<evidence::SourceStep>> result;
  for (const Executed& each : executed) {
    result.push_back(verify::describe_path(each.component.task(),
                                           each.component.blocks(),
                                           each.found.executions[each.branch]));
  }
  return result;
}

std::vector<std::string> allowed_instead_of_last(
    const lts::Lts& spec, const std::vector<std::string>& actions) {
  evidence::Tracker tracker(spec);
  for (std::size_t i = 0; i + 1 < actions.size(); ++i) tracker.take(actions[i]);
  return tracker.allowed();
}

/// In how many of the moves each component takes part.
std::vector<std::size_t> num_actions(const Prepared& task,
                                     const std::vector<Move>& path) {
  std::vector<std::size_t> result(task.components.size());
  for (const Move& move : path) {
    if (move.is_silent()) continue;
    for (const Participant& each :
         task.composition.events[move.event].participants) {
      ++result[each.component];
    }
  }
  return result;
}

}  // namespace

evidence::Counterexample describe(const Prepared& task,
                                  const std::vector<Move>& path,
                                  const std::vector<Executed>& executed) {
  evidence::Counterexample result;
  result.components = task.components;
  Merger merger(task.components, steps_of(executed));
  for (const Move& move : path) {
    if (move.is_silent()) continue;
    const Event& event = task.composition.events[move.event];
    std::vector<std::size_t> components;
    for (const Participant& each : event.participants) {
      components.push_back(each.component);
    }
    merger.happens(event.name, components);
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

Recorded record(const Prepared& task, const std::vector<Move>& path,
                const std::vector<Executed>& executed) {
  Recorded result;
  evidence::Interleaving together;
  for (const Move& move : path) {
    if (move.is_silent() || move.event == task.composition.start) continue;
    together.events.push_back(task.composition.events[move.event].name);
  }
  const evidence::Until until = task.spec == nullptr
                                    ? evidence::Until::Rest
                                    : evidence::Until::LastAction;
  const std::vector<std::size_t> happen = num_actions(task, path);
  for (std::size_t i = 0; i < executed.size(); ++i) {
    const Executed& each = executed[i];
    verify::Replayed replayed =
        verify::replay_original(each.component.task(), each.component.blocks(),
                                each.found, each.branch, until);
    if (!replayed.problem.empty()) {
      result.problem =
          fmt::format("{}: {}", task.components[i], replayed.problem);
      return result;
    }
    if (!replayed.recording) return result;
    // A branch of a strategy may go on where the others take another one.
    std::vector<std::string>& actions = replayed.recording->actions;
    const bool goes_on =
        until == evidence::Until::LastAction && actions.size() > happen[i];
    if (goes_on) actions.resize(happen[i]);
    together.components.push_back(*std::move(replayed.recording));
  }
  result.interleaving = std::move(together);
  return result;
}

}  // namespace agon::concurrent
