// SPDX-License-Identifier: Apache-2.0
#include "verify/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/interpreter.h"
#include "ir/print.h"
#include "term/substitute.h"

namespace agon::verify {
namespace {

using term::Bits;
using term::Term;

Bits bits_of(const term::Value& value) {
  return static_cast<Bits>(value.number);
}

/// Answers as the model of the play says.
class ModelEnvironment final : public ir::Environment {
 public:
  ModelEnvironment(const refine::Feasibility& found,
                   const refine::Execution& run)
      : found_(found), run_(run) {}

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
    return next_ < run_.choices.size() ? &run_.choices[next_++] : nullptr;
  }

  const refine::Feasibility& found_;
  const refine::Execution& run_;
  std::size_t next_ = 0;
};

class Replay {
 public:
  Replay(const Task& task, abstraction::AbstractSteps& steps,
         const refine::Feasibility& found)
      : program_(task.program),
        entry_(task.entry),
        blocks_(steps.blocks()),
        found_(found) {}

  /// What is wrong, if anything is.
  std::optional<std::string> check(const refine::Execution& run) {
    ModelEnvironment environment(found_, run);
    ir::InterpreterOptions options;
    options.record_path = true;
    options.max_steps = run.path.size();
    const ir::Run done = ir::interpret(program_, entry_, environment, options);
    for (std::size_t i = 0; i < run.path.size(); ++i) {
      if (i >= done.path.size()) {
        return fmt::format("it stops after {} of {} steps", i, run.path.size());
      }
      if (done.path[i].edge != run.path[i]) {
        return fmt::format("it leaves the path at step {}, {}", i,
                           place(run.path[i]));
      }
    }
    return std::nullopt;
  }

  std::string place(ir::EdgeId edge) const {
    return ir::place_of(program_, blocks_.body().edge(edge));
  }

  void describe(const refine::Execution& run, evidence::Counterexample& to) {
    std::size_t choice = 0;
    for (const ir::EdgeId id : run.path) {
      const ir::Edge& edge = blocks_.body().edge(id);
      const ir::FunctionId action = blocks_.action(id);
      evidence::SourceStep step;
      if (action.valid()) {
        step.action = program_[action].display;
        to.actions.push_back(step.action);
      }
      const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
      if (havoc != nullptr) {
        const term::Value& value = run.choices[choice++];
        const ir::Variable& target = program_[havoc->target];
        if (!target.term.sort().is_array()) {
          step.values.emplace_back(target.display, number(value));
        }
      }
      if (edge.position.line == 0) {
        if (action.valid()) to.steps.push_back(std::move(step));
        continue;
      }
      step.file = program_.files[edge.position.file.index()];
      step.line = edge.position.line;
      step.text = ir::to_string(program_, edge.statement);
      to.steps.push_back(std::move(step));
    }
  }

 private:
  static std::string number(const term::Value& value) {
    const unsigned width = value.sort.width;
    const Bits bits = bits_of(value);
    if (!value.sort.is_bits() || width > 64 || width == 0) {
      return value.number.str();
    }
    const auto wide = static_cast<std::uint64_t>(bits);
    const auto shift = 64 - width;
    return fmt::format("{}", static_cast<std::int64_t>(wide << shift) >> shift);
  }

  const ir::Program& program_;
  ir::FunctionId entry_;
  const abstraction::Blocks& blocks_;
  const refine::Feasibility& found_;
};

std::string challenge(const ir::Program& program,
                      const abstraction::Blocks& blocks, ir::EdgeId exit) {
  const ir::FunctionId action = blocks.action(exit);
  return action.valid() ? program[action].display : "tau";
}

}  // namespace

Replayed replay(const Task& task, abstraction::AbstractSteps& steps,
                const refine::Play& play, const refine::Feasibility& found) {
  Replayed result;
  Replay replay(task, steps, found);
  for (const refine::Execution& run : found.executions) {
    result.problem = replay.check(run);
    if (result.problem) return result;
  }
  const auto shortest = std::ranges::min_element(
      found.executions, {},
      [](const refine::Execution& run) { return run.path.size(); });
  replay.describe(*shortest, result.counterexample);
  if (!play.is_linear()) {
    for (const refine::Play::Node& node : play.nodes) {
      result.counterexample.strategy.push_back(
          {challenge(task.program, steps.blocks(), node.exit), node.children});
    }
  }
  return result;
}

}  // namespace agon::verify
