// SPDX-License-Identifier: Apache-2.0
#include "verify/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/call_graph.h"
#include "analysis/prepare.h"
#include "verify/mathematical.h"
#include "verify/outside.h"
#include "verify/start.h"
#include "verify/tables.h"
#include "verify/unfold.h"

namespace agon::verify {
namespace {

std::set<std::string> names_of(const lts::Lts& spec) {
  std::set<std::string> result;
  for (const lts::Label label : spec.alphabet()) {
    result.insert(spec.labels()->name(label));
  }
  return result;
}

/// The recursive cycles that inlining left, for people.
std::optional<std::string> cycles_left(const ir::Program& program,
                                       ir::FunctionId entry) {
  const analysis::CallGraph calls(program);
  std::vector<std::string> cycles;
  for (const auto& cycle : analysis::recursive_cycles(calls, entry)) {
    cycles.push_back(to_string(program, cycle));
  }
  if (cycles.empty()) return std::nullopt;
  return fmt::format("recursion without a specification: {}",
                     fmt::join(cycles, "; "));
}

}  // namespace

Prepared prepare(const ir::Program& program, ir::FunctionId entry,
                 const lts::Lts& spec, bool any_state,
                 support::Context& context, Integers integers,
                 const std::optional<ModuleView>& module,
                 const Recursion& recursion, bool unfolds) {
  const std::set<std::string> visible = names_of(spec);
  analysis::PrepareOptions options;
  options.any_state = any_state;
  options.model_calls = true;
  if (module) {
    options.around = module->around;
    options.callbacks = module->callbacks;
  }
  options.criterion.arguments = false;
  options.criterion.returns = analysis::Returns::Fact;
  options.observed.emplace();
  for (const ir::Function& function : program.functions) {
    if (!function.is_action) continue;
    if (visible.contains(function.display)) {
      options.observed->insert(function.name);
    }
  }
  options.max_depth = recursion.depth;
  if (recursion.is_visible) {
    options.too_deep = kDeeper;
    options.observed->insert(kDeeper);
  }
  options.visible = visible;
  analysis::Prepared done = analysis::prepare(program, entry, options, context);
  Prepared result{
      std::move(done.program), done.entry,       done.reason, nullptr,
      done.is_exact,           done.is_doubtful, false,       false};
  if (!result.reason) {
    result.reason = cycles_left(result.program, result.entry);
    result.is_recursive = result.reason.has_value();
  }
  if (any_state) forget_initial_values(result.program);
  if (integers == Integers::Machine && !result.reason) {
    put_in_tables(result.program, result.entry);
    if (unfolds) {
      result.is_unfolded = unfold_loops(result.program, result.entry);
    }
  }
  assume_outside(result.program, result.entry);
  if (!any_state && !module) assume_arguments(result.program, result.entry);
  if (integers == Integers::Mathematical && !result.reason) {
    result.mathematical = to_mathematical(result.program, result.entry);
    result.program = result.mathematical->program();
  }
  return result;
}

}  // namespace agon::verify
