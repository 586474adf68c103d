// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "cli/certificates.h"
#include "cli/commands.h"
#include "cli/guards.h"
#include "cli/harness.h"
#include "cli/questions.h"
#include "spec/module_client.h"
#include "spec/specification.h"
#include "spec/weave.h"
#include "support/error.h"
#include "verify/question.h"

namespace agon::cli {
namespace {

using spec::ModuleQuestion;
using support::InputError;
using support::Verdict;

void check_api(const ir::Program& program,
               const std::vector<std::string>& names) {
  std::set<ir::FunctionId> seen;
  for (const std::string& name : names) {
    if (name.empty()) throw InputError("--api has an empty name");
    if (!seen.insert(find_function(program, name)).second) {
      throw InputError(fmt::format("--api names '{}' twice", name));
    }
  }
}

/// One question about a module.
class Asker {
 public:
  /// `question`: null: whether an error can be reached.
  Asker(const ModuleOptions& options, const spec::Specification* specification,
        const ModuleQuestion* question, const ir::Program& program,
        const spec::ModuleBorder& border, const evidence::Surroundings& around,
        Session& session)
      : options_(options),
        question_(question),
        program_(program),
        client_(spec::add_client(program_, specification, question, border)),
        around_(around),
        session_(session) {}

  Verdict ask() {
    const verify::ModuleFunctions functions = described();
    const lts::Lts no_error = cli::no_error(session_.labels);
    const bool is_specified = question_ != nullptr;
    std::span<const std::string> names;
    if (is_specified) names = question_->state_names;
    return cli::ask(program_,
                    {.target = spec::kModuleTarget,
                     .spec = is_specified ? question_->spec : spec::kNoError,
                     .entry = client_.function,
                     .lts = is_specified ? *question_->lts : no_error,
                     .any_state = false,
                     .is_specified = is_specified,
                     .module = &functions,
                     .around = &around_,
                     .callbacks = options_.callbacks,
                     .state_names = names},
                    options_.engine, session_);
  }

 private:
  verify::ModuleFunctions described() const {
    verify::ModuleFunctions functions;
    for (const ir::ApiFunction& each : client_.api) {
      const ir::Function& function = program_[each.function];
      verify::ModuleFunction& made = functions.emplace_back();
      made.name = function.display;
      for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        made.arguments.push_back(
            ir::client_argument(program_, each.function, i));
      }
      for (std::size_t i = 0; i < function.results.size(); ++i) {
        made.results.push_back(ir::client_result(program_, each.function, i));
      }
    }
    return functions;
  }

  const ModuleOptions& options_;
  const ModuleQuestion* question_;
  ir::Program program_;
  const spec::ModuleClient client_;
  const evidence::Surroundings& around_;
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
  const spec::ModuleBorder border{options.api, spec::without_body(program)};
  check_api(program, options.api);
  const evidence::Surroundings around =
      surroundings(program, specification ? &*specification : nullptr,
                   {kErrorRoutines.begin(), kErrorRoutines.end()});
  spec::Woven woven;
  if (specification) {
    woven = spec::weave(program, *specification);
    spec::unfold(program, woven.own);
  }
  const ir::Program unmarked = program;
  verify::mark_errors(program, kErrorRoutines);
  assume_routines(program);
  spec::assume_calls_only(program);
  check_api(program, options.api);
  // All are made before the first is decided, so that a certificate's checker,
  // who decides none, makes the same.
  std::vector<Asker> askers;
  const auto add = [&](const ModuleQuestion* question) {
    askers.emplace_back(options, specification ? &*specification : nullptr,
                        question, program, border, around, session);
  };
  add(nullptr);
  if (specification) {
    for (const ModuleQuestion& each : specification->modules()) add(&each);
  }
  for (const spec::GuardCheck& check : woven.guard_checks) {
    check_guards(unmarked, check, options.engine, session);
  }
  Verdict verdict = Verdict::Holds;
  for (std::size_t i = 0; i < askers.size(); ++i) {
    const support::Context::Share share(session.context, askers.size() - i);
    verdict = worst(verdict, askers[i].ask());
  }
  write_certificate(options.input, options.spec, program.model, options.engine,
                    session);
  print_assumptions(session);
  return exit_code(verdict);
}

}  // namespace agon::cli
