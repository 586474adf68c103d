// SPDX-License-Identifier: Apache-2.0
#include "concurrent/rehearse.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "concurrent/merge.h"
#include "evidence/playback.h"
#include "evidence/tracker.h"
#include "ir/interpreter.h"
#include "ir/library.h"
#include "spec/composition.h"
#include "support/error.h"
#include "verify/readable.h"
#include "verify/record.h"
#include "verify/steps.h"

namespace agon::concurrent {
namespace {

using evidence::Recording;
using spec::ComponentQuestion;

/// What came of running one component.
struct Part {
  std::vector<std::string> actions;
  evidence::Rest rest;
  bool has_ended = false;
  std::size_t next = 0;  ///< The first of the actions that is still to come.
};

class Rehearsal {
 public:
  Rehearsal(const ir::Program& program, const spec::ProgramQuestion& question,
            bool has_errors, const evidence::Interleaving& interleaving)
      : program_(program),
        question_(question),
        composition_(spec::together(question, has_errors)),
        interleaving_(interleaving) {
    for (const spec::Event& event : composition_.events) {
      events_.emplace(event.name, &event);
    }
  }

  Rehearsed run() {
    if (composition_.asks_for_deadlocks) spec::mark_exits(program_);
    for (std::size_t i = 0; i < question_.components.size(); ++i) {
      result_.shown.components.push_back(question_.components[i].name);
      run_component(i);
    }
    Merger merger(result_.shown.components, std::move(steps_));
    follow(merger);
    result_.shown.steps = merger.finish(composition_.asks_for_deadlocks);
    if (!result_.problem.empty()) return std::move(result_);
    if (composition_.asks_for_deadlocks) {
      judge_rest();
    } else {
      judge_actions();
    }
    return std::move(result_);
  }

 private:
  void fail(std::string problem) {
    if (result_.problem.empty()) result_.problem = std::move(problem);
  }

  void run_component(std::size_t i) {
    const ComponentQuestion& component = question_.components[i];
    const Recording& recording = interleaving_.components[i];
    const auto entry = program_.find_function(component.entry);
    AGON_ASSERT(entry.has_value());
    const ir::Program program = verify::runnable(
        {recording.variant.has_library ? ir::with_library(program_) : program_,
         *entry, component.routine != "main"});
    verify::Steps steps(
        program, composition_.visible[i], recording.actions.size(),
        composition_.asks_for_deadlocks ? evidence::Until::Rest
                                        : evidence::Until::LastAction);
    evidence::Playback playback(recording);
    ir::InterpreterOptions options = evidence::playback_options(program);
    options.listener = &steps;
    const ir::Run run = ir::interpret(program, *entry, playback, options);
    if (playback.problem()) {
      fail(fmt::format("{}: {}", component.name, *playback.problem()));
    }
    note_start(program, i);
    Part part{steps.actions, steps.rest, false, 0};
    part.has_ended = !part.actions.empty() &&
                     composition_.endings[i].contains(part.actions.back());
    if (composition_.asks_for_deadlocks && !is_at_rest(run, part)) {
      fail(fmt::format("{} does not come to rest", component.name));
    }
    parts_.push_back(std::move(part));
    steps_.push_back(std::move(steps.steps));
  }

  /// Whether it waits, or has ended, or is stuck in a described routine.
  static bool is_at_rest(const ir::Run& run, const Part& part) {
    return part.rest.is_waiting || part.has_ended ||
           (run.outcome == ir::Outcome::Stopped && !part.actions.empty() &&
            part.actions.back() == spec::ProgramQuestion::kStop);
  }

  void note_start(const ir::Program& program, std::size_t i) {
    for (auto& [name, value] :
         verify::describe_start(program, interleaving_.components[i])) {
      result_.shown.initial.emplace_back(
          fmt::format("{}.{}", question_.components[i].name, name),
          std::move(value));
    }
  }

  void follow(Merger& merger) {
    happen(spec::ProgramQuestion::kStart, merger);
    for (const std::string& name : interleaving_.events) {
      if (!result_.problem.empty()) return;
      happen(name, merger);
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].next == parts_[i].actions.size()) continue;
      fail(fmt::format(
          "{} performs '{}', in which nobody was recorded to "
          "take part",
          result_.shown.components[i], parts_[i].actions[parts_[i].next]));
    }
  }

  /// All that know the event take part.
  void happen(const std::string& name, Merger& merger) {
    const auto found = events_.find(name);
    if (found == events_.end()) {
      return fail(fmt::format("there is no event '{}'", name));
    }
    std::vector<std::size_t> components;
    for (const spec::Participant& each : found->second->participants) {
      Part& part = parts_[each.component];
      const std::string& who = result_.shown.components[each.component];
      if (part.next == part.actions.size()) {
        return fail(fmt::format("{} ends before '{}'", who, name));
      }
      const std::string& action = part.actions[part.next++];
      if (!each.locals.contains(action)) {
        return fail(
            fmt::format("{} performs '{}' instead of '{}'", who, action, name));
      }
      components.push_back(each.component);
    }
    merger.happens(name, components);
    const bool is_start = name == spec::ProgramQuestion::kStart;
    if (found->second->label != "tau" ||
        (composition_.asks_for_deadlocks && !is_start)) {
      result_.shown.actions.push_back(name);
    }
  }

  /// The specification allows all but the last.
  void judge_actions() {
    const std::vector<std::string>& actions = result_.shown.actions;
    const bool is_branch =
        std::ranges::any_of(interleaving_.components, &Recording::is_branch);
    evidence::Tracker tracker(*composition_.spec);
    if (actions.empty()) fail("nothing happens that the specification sees");
    for (std::size_t i = 0; i < actions.size(); ++i) {
      result_.shown.allowed = tracker.allowed();
      const bool is_last = i + 1 == actions.size();
      if (tracker.take(actions[i]) != is_last || is_branch) continue;
      return fail(fmt::format("the specification {} '{}'",
                              is_last ? "allows" : "does not allow",
                              actions[i]));
    }
  }

  /// Nobody can move, though not all have ended.
  void judge_rest() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].rest.is_clear) {
        fail("it is not clear what a described routine waits for");
      }
    }
    for (const auto& [name, event] : events_) {
      if (!std::ranges::all_of(event->participants,
                               [&](const auto& each) { return offers(each); }))
        continue;
      return fail(fmt::format("'{}' can still happen", name));
    }
    if (std::ranges::all_of(parts_, &Part::has_ended)) {
      return fail("all components have ended");
    }
    note_waiting();
  }

  bool offers(const spec::Participant& participant) const {
    const Part& part = parts_[participant.component];
    return part.rest.is_waiting &&
           std::ranges::any_of(part.rest.offers, [&](const std::string& each) {
             return participant.locals.contains(each);
           });
  }

  void note_waiting() {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].has_ended) continue;
      std::vector<std::string> names;
      for (const auto& [name, event] : events_) {
        if (std::ranges::any_of(event->participants, [&](const auto& each) {
              return each.component == i && offers(each);
            })) {
          names.push_back(name);
        }
      }
      result_.shown.waiting.emplace_back(result_.shown.components[i],
                                         std::move(names));
    }
  }

  ir::Program program_;
  const spec::ProgramQuestion& question_;
  const spec::Composition composition_;
  const evidence::Interleaving& interleaving_;
  std::map<std::string, const spec::Event*> events_;
  std::vector<Part> parts_;
  std::vector<std::vector<evidence::SourceStep>> steps_;
  Rehearsed result_;
};

void check_components(const spec::ProgramQuestion& question,
                      const evidence::Interleaving& interleaving) {
  const bool is_same = std::ranges::equal(
      question.components, interleaving.components,
      [](const ComponentQuestion& component, const Recording& recording) {
        return component.entry == recording.entry &&
               (component.routine != "main") == recording.any_state &&
               !recording.variant.is_unfolded;
      });
  if (is_same) return;
  throw support::InputError(
      fmt::format("these are not recordings of the components of '{}'",
                  question.definition.name));
}

}  // namespace

Rehearsed rehearse(const ir::Program& program,
                   const spec::ProgramQuestion& question, bool has_errors,
                   const evidence::Interleaving& interleaving) {
  check_components(question, interleaving);
  return Rehearsal(program, question, has_errors, interleaving).run();
}

}  // namespace agon::concurrent
