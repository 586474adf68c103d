// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/client.h"
#include "cli/commands.h"
#include "cli/guards.h"
#include "cli/questions.h"
#include "spec/specification.h"
#include "spec/weave.h"
#include "support/error.h"
#include "support/suggest.h"
#include "verify/question.h"

namespace agon::cli {
namespace {

using analysis::ApiFunction;
using spec::ModuleQuestion;
using support::InputError;
using support::Verdict;

std::vector<ApiFunction> find_api(const ir::Program& program,
                                  const std::vector<std::string>& names) {
  std::vector<ApiFunction> api;
  std::set<ir::FunctionId> seen;
  for (const std::string& name : names) {
    if (name.empty()) throw InputError("--api has an empty name");
    const ir::FunctionId id = find_function(program, name);
    if (!seen.insert(id).second) {
      throw InputError(fmt::format("--api names '{}' twice", name));
    }
    api.push_back({id, {}, {}});
  }
  return api;
}

std::set<std::string> without_body(const ir::Program& program) {
  std::set<std::string> result;
  for (const ir::Function& function : program.functions) {
    if (!function.has_body) result.insert(function.name);
  }
  return result;
}

/// Other files could change variables that are not static; clients are taken
/// to call functions only.
void assume_calls_only(ir::Program& program) {
  std::set<std::string> names;
  ir::Position first;
  const auto note = [&](const auto& named) {
    names.insert(named.display.substr(0, named.display.find('.')));
    if (first.line == 0) first = named.position;
  };
  for (const ir::Variable& variable : program.variables) {
    if (variable.kind == ir::VariableKind::Global && !variable.is_static &&
        variable.initial.valid()) {
      note(variable);
    }
  }
  for (const ir::Object& object : program.objects) {
    if (object.kind == ir::ObjectKind::Global && !object.is_static &&
        !object.is_constant && object.is_zeroed) {
      note(object);
    }
  }
  if (names.empty()) return;
  program.assume("clients",
                 fmt::format("change {} by calls only, though {} not static",
                             fmt::join(names, ", "),
                             names.size() == 1 ? "it is" : "they are"),
                 first);
}

/// One question about a module.
class Asker {
 public:
  Asker(const ModuleOptions& options, const spec::Specification* specification,
        const ir::Program& program, const std::set<std::string>& without_body,
        Session& session)
      : options_(options),
        specification_(specification),
        program_(program),
        without_body_(without_body),
        session_(session) {}

  Verdict no_error() {
    silence(nullptr);
    const lts::Lts spec = cli::no_error(session_.labels);
    return ask_about(spec, {}, "no error", find_api(program_, options_.api));
  }

  Verdict conformance(const ModuleQuestion& question) {
    silence(&question);
    std::vector<ApiFunction> api = find_api(program_, options_.api);
    for (const ModuleQuestion::Routine& routine : question.routines) {
      observe(question, routine, api);
    }
    return ask_about(*question.lts, question.state_names, question.spec, api);
  }

 private:
  /// Takes the actions away that other questions are about.
  void silence(const ModuleQuestion* kept) {
    if (specification_ == nullptr) return;
    for (const ModuleQuestion& question : specification_->modules()) {
      if (&question == kept) continue;
      for (const ModuleQuestion::Routine& routine : question.routines) {
        for (const std::string& name : {routine.called, routine.returned}) {
          const auto id = program_.find_function(name);
          if (id) make_empty(*id);
        }
      }
    }
  }

  void make_empty(ir::FunctionId id) {
    ir::Cfa body;
    body.set_entry(body.add_location());
    body.set_exit(body.add_location());
    body.add_edge({body.entry(), body.exit(), ir::Return{}, {}, {}});
    body.finish();
    program_.functions[id.index()].body = std::move(body);
  }

  /// Lets the client perform the actions of a routine.
  void observe(const ModuleQuestion& question,
               const ModuleQuestion::Routine& routine,
               std::vector<ApiFunction>& api) const {
    const auto id = program_.find_function(routine.name);
    if (!id) {
      // Their functions exist if it is declared; then it is never called.
      if (find(routine.called).valid() || find(routine.returned).valid())
        return;
      std::vector<std::string> known = options_.api;
      known.insert(known.end(), without_body_.begin(), without_body_.end());
      question.place.fail(fmt::format(
          "this process speaks of '{0}', but the C files neither declare nor "
          "call '{0}'{1}",
          routine.name, support::did_you_mean(routine.name, known)));
    }
    const auto found = std::ranges::find(api, *id, &ApiFunction::function);
    if (found != api.end()) {
      found->on_call = find(routine.called);
      found->on_return = find(routine.returned);
    } else if (!without_body_.contains(routine.name)) {
      question.place.fail(fmt::format(
          "this process speaks of '{}', which is neither named in --api nor "
          "a routine without a body",
          routine.name));
    }
  }

  ir::FunctionId find(const std::string& name) const {
    return program_.find_function(name).value_or(ir::FunctionId());
  }

  verify::ModuleFunctions described(const std::vector<ApiFunction>& api) const {
    verify::ModuleFunctions functions;
    for (const ApiFunction& each : api) {
      const ir::Function& function = program_[each.function];
      verify::ModuleFunction& made = functions.emplace_back();
      made.name = function.display;
      for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        made.arguments.push_back(
            analysis::client_argument(program_, each.function, i));
      }
      for (std::size_t i = 0; i < function.results.size(); ++i) {
        made.results.push_back(
            analysis::client_result(program_, each.function, i));
      }
    }
    return functions;
  }

  Verdict ask_about(const lts::Lts& lts,
                    std::span<const std::string> state_names,
                    const std::string& spec,
                    const std::vector<ApiFunction>& api) {
    const verify::ModuleFunctions functions = described(api);
    const ir::FunctionId client = analysis::add_client(program_, api);
    return ask(program_,
               {.target = "module",
                .spec = spec,
                .entry = client,
                .lts = lts,
                .any_state = false,
                .is_specified = spec != "no error",
                .module = &functions,
                .callbacks = options_.callbacks,
                .state_names = state_names},
               options_.engine, session_);
  }

  const ModuleOptions& options_;
  const spec::Specification* specification_;
  ir::Program program_;
  const std::set<std::string>& without_body_;
  Session& session_;
};

}  // namespace

ExitCode run_module(const ModuleOptions& options, Session& session) {
  std::optional<spec::Specification> specification;
  CInput input = options.input;
  if (!options.spec.empty()) {
    specification = spec::load(options.spec, session.context);
    input.options.fragments = specification->fragments();
  }
  input.options.constants_must_not_wrap =
      options.engine.verify.integers == verify::Integers::Mathematical;
  ir::Program program = load_program(input, session);
  session.report.inputs->api = options.api;
  session.report.inputs->callbacks = options.callbacks;
  if (specification) session.report.inputs->spec = note_file(options.spec);
  if (specification) session.files.push_back(options.spec);
  const std::set<std::string> undefined = without_body(program);
  find_api(program, options.api);
  if (specification) {
    const spec::Woven woven = spec::weave(program, *specification);
    unfold(program, woven.own);
    for (const spec::GuardCheck& check : woven.guard_checks) {
      check_guards(program, check, options.engine, session);
    }
  }
  verify::mark_errors(program, kErrorRoutines);
  assume_routines(program);
  assume_calls_only(program);
  const spec::Specification* const spec =
      specification ? &*specification : nullptr;
  Verdict verdict =
      Asker(options, spec, program, undefined, session).no_error();
  if (spec != nullptr) {
    for (const ModuleQuestion& question : spec->modules()) {
      verdict = worst(verdict, Asker(options, spec, program, undefined, session)
                                   .conformance(question));
    }
  }
  print_assumptions(session);
  return exit_code(verdict);
}

}  // namespace agon::cli
