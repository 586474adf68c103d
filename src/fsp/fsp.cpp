// SPDX-License-Identifier: Apache-2.0
#include "fsp/fsp.h"

#include <fmt/format.h>

#include <utility>

#include "fsp/ast.h"
#include "fsp/budget.h"
#include "fsp/compile.h"
#include "fsp/evaluate.h"
#include "fsp/parser.h"
#include "support/suggest.h"

namespace agon::fsp {
namespace {

constexpr const char* kDefault = "DEFAULT";

}  // namespace

struct Model::Data {
  support::Source source;
  File file;
  Globals globals;
  std::vector<ProcessInfo> processes;
  std::shared_ptr<const LabelMeanings> meanings;

  /// The definition of the process that a user asks for, or null for DEFAULT.
  const ProcessDef* find(const ProcRef& wanted,
                         const support::Source& text) const {
    std::vector<std::string> names;
    bool has_composite = false;
    for (const ProcessDef& def : file.processes) {
      if (def.name == wanted.name) return &def;
      names.push_back(def.name);
      has_composite = has_composite || def.kind == ProcessDef::Kind::Composite;
    }
    if (file.processes.empty()) {
      source.fail(0, "this file defines no process");
    }
    if (wanted.name == kDefault && wanted.arguments.empty() && !has_composite) {
      return nullptr;
    }
    text.fail(
        wanted.offset,
        fmt::format("'{}' defines no process '{}'{}", source.name(),
                    wanted.name, support::did_you_mean(wanted.name, names)));
  }
};

Model Model::parse(const support::Source& source, support::Context& context,
                   const ParseOptions& options) {
  auto data = std::make_shared<Data>(
      Data{source, parse_file(source, options), {}, {}, options.meanings});
  Budget budget(data->source, context);
  data->globals = evaluate_globals(data->file, data->source, budget);
  for (const ProcessDef& def : data->file.processes) {
    data->processes.push_back(
        {def.name, def.kind == ProcessDef::Kind::Composite, def.is_property});
  }
  return Model(std::move(data));
}

std::span<const Model::ProcessInfo> Model::processes() const {
  return data_->processes;
}

std::string Model::default_process() const {
  std::string last = kDefault;
  for (const ProcessInfo& process : data_->processes) {
    if (process.is_composite) last = process.name;
  }
  return last;
}

std::unique_ptr<lts::Successors> Model::compile(
    const std::string& name, const lts::SharedLabels& labels,
    support::Context& context) const {
  return compile_named(name, labels, context).system;
}

Model::Compiled Model::compile_named(const std::string& name,
                                     const lts::SharedLabels& labels,
                                     support::Context& context) const {
  const auto text = support::Source::from_string("process", name);
  const ProcRef wanted = parse_reference(text);
  const ProcessDef* const def = data_->find(wanted, text);

  Budget budget(data_->source, context);
  const Evaluator evaluator(data_->source, data_->globals, budget);
  Compiler compiler(data_->file, evaluator, labels, context,
                    data_->meanings.get());
  if (def == nullptr) return {compiler.compile_all(), {}};

  // The arguments are written in another text, and so are their mistakes.
  Budget argument_budget(text, context);
  const Evaluator argument_evaluator(text, data_->globals, argument_budget);
  std::vector<Value> arguments;
  for (const Expr& argument : wanted.arguments) {
    arguments.push_back(argument_evaluator.value(argument, nullptr));
  }
  if (!arguments.empty() && arguments.size() != def->parameters.size()) {
    text.fail(wanted.offset,
              fmt::format("'{}' has {} parameters, but {} arguments are given",
                          def->name, def->parameters.size(), arguments.size()));
  }
  auto system = compiler.compile(*def, std::move(arguments), def->offset);
  std::vector<std::string> names = compiler.state_names(*system);
  return {std::move(system), std::move(names)};
}

std::vector<Model::Progress> Model::progress_tests(
    support::Context& context) const {
  Budget budget(data_->source, context);
  const Evaluator evaluator(data_->source, data_->globals, budget);
  std::vector<Progress> result;
  for (const ProgressDef& def : data_->file.progress) {
    std::vector<BoundLabel> indices{{"", nullptr}};
    if (def.ranges) indices = evaluator.expand(*def.ranges, nullptr);
    for (const BoundLabel& index : indices) {
      Progress test;
      test.name = index.text.empty() ? def.name : def.name + "." + index.text;
      test.conditional = def.condition.has_value();
      if (def.condition) {
        test.condition = evaluator.all(*def.condition, index.scope);
      }
      test.actions = evaluator.all(def.actions, index.scope);
      result.push_back(std::move(test));
    }
  }
  return result;
}

}  // namespace agon::fsp
