// SPDX-License-Identifier: Apache-2.0
#include "verify/steps.h"

#include <ranges>
#include <utility>

#include "ir/print.h"
#include "verify/readable.h"

namespace agon::verify {
namespace {

constexpr std::size_t kMostKept = 100'000;  // That are kept.

bool is_in_specification(const std::string& file) {
  return file.ends_with(".agon");
}

}  // namespace

Steps::Steps(const ir::Program& program, std::set<std::string> visible,
             std::size_t num_actions, evidence::Until until)
    : program_(program),
      visible_(std::move(visible)),
      num_actions_(num_actions),
      until_(until),
      rests_(program, visible_) {}

bool Steps::step(const ir::Step& step, const ir::StateView& state) {
  add_value(step, state);
  if (is_over(step)) return false;
  const ir::Edge& edge = program_[step.function].body.edge(step.edge);
  evidence::SourceStep shown = describe(edge, state);
  target_ = ir::VariableId();
  if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
    target_ = assign->target;
    shown.is_technical = program_[target_].kind == ir::VariableKind::Temporary;
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
    target_ = havoc->target;
  } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
    note_action(*call, shown);
  }
  last_ = step;
  if (steps.size() < kMostKept) steps.push_back(std::move(shown));
  return true;
}

bool Steps::may_skip() {
  return steps.size() == kMostKept && actions.size() < num_actions_;
}

bool Steps::is_over(const ir::Step& step) {
  if (actions.size() < num_actions_) return false;
  if (until_ == evidence::Until::LastAction) return true;
  rest = rests_.before(step);
  return rest.is_waiting;
}

evidence::SourceStep Steps::describe(const ir::Edge& edge,
                                     const ir::StateView& state) const {
  evidence::SourceStep shown;
  shown.text = with_short_names(ir::to_string(program_, edge.statement));
  if (edge.position.line == 0) return shown;
  shown.file = program_.files[edge.position.file.index()];
  shown.line = edge.position.line;
  if (!is_in_specification(shown.file)) return shown;
  const std::vector<ir::Position> calls = state.calls();
  for (const ir::Position& call : std::views::reverse(calls)) {
    if (call.line == 0) continue;
    const std::string& file = program_.files[call.file.index()];
    if (is_in_specification(file)) continue;
    shown.call = {file, call.line};
    break;
  }
  return shown;
}

/// What the last step assigned is known now, unless the call has ended.
void Steps::add_value(const ir::Step& step, const ir::StateView& state) {
  if (!target_.valid() || steps.empty() || steps.size() == kMostKept ||
      step.function != last_.function || step.depth != last_.depth ||
      program_[target_].term.sort().is_array()) {
    return;
  }
  const ir::Variable& target = program_[target_];
  steps.back().values.emplace_back(
      with_short_names(target.display),
      number_text(
          program_, target,
          {target.term.sort(), term::Integer(state.value(target_)), {}}));
}

void Steps::note_action(const ir::Call& call, evidence::SourceStep& shown) {
  if (!call.callee.valid() || !program_[call.callee].is_action) return;
  shown.text = program_[call.callee].display;
  if (!visible_.contains(shown.text)) return;
  shown.action = shown.text;
  actions.push_back(shown.text);
}

std::vector<std::pair<std::string, std::string>> describe_start(
    const ir::Program& program, const evidence::Recording& recording) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, value] : recording.initial) {
    const ir::VariableId id = program.variable_of(program.pool->find(name));
    if (!id.valid()) continue;
    const ir::Variable& variable = program[id];
    result.emplace_back(
        variable.display,
        number_text(program, variable,
                    {variable.term.sort(), term::Integer(value), {}}));
  }
  return result;
}

}  // namespace agon::verify
