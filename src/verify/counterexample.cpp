// SPDX-License-Identifier: Apache-2.0
#include "verify/counterexample.h"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/tracker.h"
#include "ir/actions.h"
#include "ir/interpreter.h"
#include "ir/print.h"
#include "verify/dialogue.h"
#include "verify/first_reads.h"
#include "verify/knowledge.h"
#include "verify/mathematical.h"
#include "verify/readable.h"
#include "verify/record.h"

namespace agon::verify {
namespace {

using refine::Execution;
using refine::Feasibility;
using term::Bits;

Bits bits_of(const term::Value& value) {
  return static_cast<Bits>(value.number);
}

bool is_havoc(const ir::Edge& edge) {
  return std::holds_alternative<ir::Havoc>(edge.statement);
}

/// Answers as the model of the play says.
class ModelEnvironment final : public ir::Environment {
 public:
  ModelEnvironment(const ir::Cfa& body, const Feasibility& found,
                   const Execution& run)
      : found_(found) {
    for (const Execution::Step& step : run.steps) {
      if (is_havoc(body.edge(step.edge))) choices_.push_back(&*step.value);
    }
  }

  Bits choose(const ir::Program&, const ir::Havoc&,
              const ir::Position&) override {
    const term::Value* const value = next();
    return value != nullptr ? bits_of(*value) : 0;
  }
  const term::Value* choose_array(const ir::Program&, const ir::Havoc&,
                                  const ir::Position&) override {
    return next();
  }
  std::vector<Bits> call(const ir::Program&, const ir::Function&,
                         std::span<const Bits>, ir::MemoryAccess&) override {
    return {};
  }
  std::uint8_t initial_byte(std::uint64_t) override { return 0; }
  Bits initial_value(const ir::Program& program,
                     ir::VariableId variable) override {
    const term::Value* const value = initial_array(program, variable);
    return value != nullptr ? bits_of(*value) : 0;
  }
  const term::Value* initial_array(const ir::Program& program,
                                   ir::VariableId variable) override {
    const auto at = found_.initial.find(program[variable].term);
    return at != found_.initial.end() ? &at->second : nullptr;
  }

 private:
  const term::Value* next() {
    return next_ < choices_.size() ? choices_[next_++] : nullptr;
  }

  const Feasibility& found_;
  std::vector<const term::Value*> choices_;
  std::size_t next_ = 0;
};

std::optional<std::string> replay(const Task& task,
                                  const abstraction::Blocks& blocks,
                                  const Feasibility& found,
                                  const Execution& run) {
  ModelEnvironment environment(blocks.body(), found, run);
  ir::InterpreterOptions options;
  options.record_path = true;
  options.max_steps = run.steps.size();
  const ir::Run done =
      ir::interpret(task.program, task.entry, environment, options);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (i >= done.path.size()) {
      return fmt::format("it stops after {} of {} steps", i, run.steps.size());
    }
    if (done.path[i].edge != run.steps[i].edge) {
      const ir::Edge& expected = blocks.body().edge(run.steps[i].edge);
      return fmt::format("it leaves the path at step {}, {}: {}", i,
                         ir::place_of(task.program, expected),
                         ir::to_string(task.program, expected.statement));
    }
  }
  return std::nullopt;
}

/// The innermost call around an edge that stands in the program.
evidence::Place call_around(const ir::Program& program, const ir::Edge& edge) {
  for (ir::InlineId at = edge.inlined; at.valid();
       at = program.inlined[at.index()].outer) {
    const ir::Position& call = program.inlined[at.index()].call;
    if (call.line == 0) continue;
    const std::string& file = program.files[call.file.index()];
    if (!file.ends_with(".agon")) return {file, call.line};
  }
  return {};
}

/// Whether a statement stands around a function only to perform its events.
bool is_around_events(const ir::Program& program, const ir::Edge& edge) {
  if (!edge.inlined.valid()) return false;
  const ir::InlinedCall& call = program.inlined[edge.inlined.index()];
  return program[call.callee].name.ends_with(ir::kWithEvents);
}

evidence::SourceStep describe_step(const Task& task,
                                   const abstraction::Blocks& blocks,
                                   const Execution::Step& taken) {
  const ir::Program& program = task.program;
  const ir::Edge& edge = blocks.body().edge(taken.edge);
  evidence::SourceStep step;
  const ir::FunctionId action = blocks.action(taken.edge);
  if (action.valid()) step.action = program[action].display;
  if (edge.position.line != 0) {
    step.file = program.files[edge.position.file.index()];
    step.line = edge.position.line;
    if (step.file.ends_with(".agon")) step.call = call_around(program, edge);
  }
  step.text = action.valid()
                  ? step.action
                  : with_short_names(ir::to_string(program, edge.statement));
  if (!taken.value || taken.value->sort.is_array()) return step;
  const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
  const ir::Variable& target =
      program[assign != nullptr ? assign->target
                                : std::get<ir::Havoc>(edge.statement).target];
  step.is_technical =
      assign != nullptr && (target.kind == ir::VariableKind::Temporary ||
                            is_around_events(program, edge));
  step.values.emplace_back(with_short_names(target.display),
                           number_text(program, target, *taken.value));
  return step;
}

std::size_t depth(const ir::Program& program, ir::InlineId inlined) {
  std::size_t result = 0;
  for (; inlined.valid(); inlined = program.inlined[inlined.index()].outer) {
    ++result;
  }
  return result;
}

/// An assignment before a function that was inlined is left is its `return`.
void mark_return(const ir::Program& program, const ir::Edge& edge,
                 const ir::Edge& next, evidence::SourceStep& step) {
  const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
  if (assign == nullptr || !step.is_technical ||
      is_around_events(program, edge) ||
      depth(program, edge.inlined) <= depth(program, next.inlined)) {
    return;
  }
  step.text = "return " +
              with_short_names(term::to_c(assign->value, ir::c_style(program)));
  step.is_technical = false;
  step.is_return = true;
  step.values.front().first = "result";
}

/// What all edges of a run choose, in their order.
Choices choices_of(const Task& task, const Execution& run) {
  Choices result;
  for (const Execution::Step& step : run.steps) {
    if (is_havoc(task.program[task.entry].body.edge(step.edge))) {
      result.values.push_back(*step.value);
    }
  }
  return result;
}

/// The visible actions of a run, in their order.
std::vector<std::string> actions_of(const Task& task,
                                    const abstraction::Blocks& blocks,
                                    const Execution& run) {
  std::vector<std::string> result;
  for (const Execution::Step& step : run.steps) {
    const ir::FunctionId action = blocks.action(step.edge);
    if (action.valid()) result.push_back(task.program[action].display);
  }
  return result;
}

std::size_t index_of_shortest(const Feasibility& found) {
  const auto shortest = std::ranges::min_element(
      found.executions, {},
      [](const Execution& run) { return run.steps.size(); });
  return static_cast<std::size_t>(shortest - found.executions.begin());
}

/// The task and the executions over bits, if they are over integers.
Task on_machine(const Task& task) {
  return {task.mathematical->machine(),
          task.mathematical->entry(),
          task.spec,
          nullptr,
          task.module,
          task.original};
}

}  // namespace

std::optional<std::string> replay(const Task& task,
                                  const abstraction::Blocks& blocks,
                                  const Feasibility& found) {
  for (const Execution& run : found.executions) {
    if (auto problem = replay(task, blocks, found, run)) return problem;
  }
  return std::nullopt;
}

std::optional<std::string> uncertain_step(const Task& task,
                                          const Feasibility& found) {
  const ir::Cfa& body = task.program[task.entry].body;
  for (const Execution& run : found.executions) {
    for (const Execution::Step& step : run.steps) {
      const ir::Edge& edge = body.edge(step.edge);
      const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
      if (havoc == nullptr || (havoc->reason != ir::HavocReason::Float &&
                               havoc->reason != ir::HavocReason::Unsupported)) {
        continue;
      }
      return fmt::format("{} at {}, which is taken to give any value",
                         havoc->reason == ir::HavocReason::Float
                             ? "floating-point arithmetic"
                             : "an unsupported construct",
                         ir::place_of(task.program, edge));
    }
  }
  return std::nullopt;
}

std::vector<evidence::SourceStep> describe_path(
    const Task& task, const abstraction::Blocks& blocks, const Execution& run) {
  std::vector<evidence::SourceStep> result;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    result.push_back(describe_step(task, blocks, run.steps[i]));
    if (i + 1 == run.steps.size()) break;
    mark_return(task.program, blocks.body().edge(run.steps[i].edge),
                blocks.body().edge(run.steps[i + 1].edge), result.back());
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> describe_start(
    const Task& task, const Feasibility& found) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const ir::Variable& variable : task.program.variables) {
    const bool is_shown = variable.kind == ir::VariableKind::Parameter ||
                          variable.kind == ir::VariableKind::Global;
    const auto at = found.initial.find(variable.term);
    if (!is_shown || at == found.initial.end() || variable.initial.valid()) {
      continue;
    }
    result.emplace_back(variable.display,
                        number_text(task.program, variable, at->second));
  }
  return result;
}

Replayed replay_original(const Task& task, const abstraction::Blocks& blocks,
                         const refine::Play& play, const Feasibility& found) {
  const bool is_mathematical = task.mathematical != nullptr;
  const Task run_as = is_mathematical ? on_machine(task) : task;
  const auto runs = is_mathematical ? on_machine(task, found) : found;
  if (!runs) return {"it is not an execution of the machine", {}};
  Replayed result;
  for (std::size_t i = 0; i < found.executions.size(); ++i) {
    Replayed one =
        record(run_as, runs->initial, choices_of(run_as, runs->executions[i]),
               actions_of(task, blocks, found.executions[i]));
    if (!one.problem.empty()) return one;
    if (i == index_of_shortest(found)) result = std::move(one);
  }
  if (result.recording) result.recording->is_branch = !play.is_linear();
  return result;
}

std::optional<std::string> doubt_on_original(const Task& task,
                                             const abstraction::Blocks& blocks,
                                             const Feasibility& found) {
  const bool is_mathematical = task.mathematical != nullptr;
  const Task run_as = is_mathematical ? on_machine(task) : task;
  const auto runs = is_mathematical ? on_machine(task, found) : found;
  if (!runs) return "it is not an execution of the machine";
  const ir::Program original = runnable(*task.original);
  for (std::size_t i = 0; i < found.executions.size(); ++i) {
    const Replayed one =
        record(run_as, runs->initial, choices_of(run_as, runs->executions[i]),
               actions_of(task, blocks, found.executions[i]));
    if (!one.problem.empty()) {
      return "the violation found could not be replayed on the whole "
             "program: " +
             one.problem;
    }
    if (!one.recording) continue;
    auto doubt = change_without_knowledge(original, *one.recording);
    if (doubt) return doubt;
  }
  return std::nullopt;
}

evidence::Counterexample describe(const Task& task,
                                  const abstraction::Blocks& blocks,
                                  const refine::Play& play,
                                  const Feasibility& found) {
  evidence::Counterexample result;
  const Execution& shortest = found.executions[index_of_shortest(found)];
  evidence::Tracker tracker(task.spec);
  result.steps = describe_path(task, blocks, shortest);
  for (const evidence::SourceStep& step : result.steps) {
    if (step.action.empty()) continue;
    result.allowed = tracker.allowed();
    tracker.take(step.action);
    result.actions.push_back(step.action);
  }
  result.initial = describe_start(task, found);
  if (task.original != nullptr && task.original->any_state &&
      task.mathematical == nullptr) {
    for (auto& read :
         first_reads(task, blocks.body(), shortest, found.initial)) {
      result.initial.push_back(std::move(read));
    }
  }
  if (task.module != nullptr) {
    result.dialogue = dialogue(*task.module, task.program, blocks, shortest);
  }
  if (play.is_linear()) return result;
  for (const refine::Play::Node& node : play.nodes) {
    const ir::FunctionId action = blocks.action(node.exit);
    evidence::StrategyNode& made = result.strategy.emplace_back();
    made.challenge = action.valid() ? task.program[action].display : "tau";
    made.children = node.children;
    if (node.spec.valid()) made.specification = node.spec.value();
  }
  return result;
}

}  // namespace agon::verify
