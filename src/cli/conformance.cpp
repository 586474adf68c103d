// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <type_traits>

#include "cli/certificates.h"
#include "cli/check_project.h"
#include "cli/commands.h"
#include "cli/decide.h"
#include "cli/guards.h"
#include "cli/harness.h"
#include "cli/induction.h"
#include "cli/programs.h"
#include "cli/questions.h"
#include "cli/replay.h"
#include "spec/errors.h"
#include "spec/specification.h"
#include "spec/weave.h"
#include "support/error.h"
#include "support/suggest.h"
#include "verify/question.h"

namespace agon::cli {
namespace {

using support::Verdict;

void check_target(const ConformanceOptions& options, const spec::Woven& woven) {
  if (options.target.empty() || options.is_target_optional) return;
  std::vector<std::string> known;
  for (const spec::Question& question : woven.questions) {
    known.push_back(question.target);
  }
  for (const spec::ProgramQuestion& question : woven.programs) {
    known.push_back(question.definition.name);
  }
  if (std::ranges::count(known, options.target) > 0) return;
  throw support::InputError(
      fmt::format("'{}' verifies no '{}'{}", options.spec, options.target,
                  support::did_you_mean(options.target, known)));
}

bool is_wanted(const ConformanceOptions& options, const std::string& target) {
  return options.target.empty() || target == options.target;
}

/// In the order in which they are looked at.
std::vector<Untried> wanted(const ConformanceOptions& options,
                            const spec::Woven& woven) {
  std::vector<Untried> result;
  const auto add = [&](const std::string& target, const std::string& spec) {
    if (is_wanted(options, target)) result.push_back({target, spec});
  };
  for (const auto& each : woven.questions) add(each.target, each.spec);
  for (const auto& each : woven.programs) {
    add(each.definition.name, each.spec);
  }
  return result;
}

/// What `verify` lines of one specification ask about one program.
class Check {
 public:
  /// All have to outlive this. `program` is woven.
  Check(const ConformanceOptions& options, const ir::Program& program,
        const spec::Woven& woven, const evidence::Surroundings& around,
        Session& session)
      : options_(options),
        program_(program),
        woven_(woven),
        around_(around),
        session_(session),
        digest_(program),
        induction_(
            program, woven,
            [this](const spec::Question& question) {
              return with(question, [&](const AskedQuestion& asked) {
                return decide(program_, asked, options_.engine, session_)
                    .verdict;
              });
            },
            [this](const spec::Question& question) {
              return with(question, [&](const AskedQuestion& asked) {
                return prove(program_, asked, options_.engine, session_);
              });
            }) {}

  Verdict run() {
    session_.untried = wanted(options_, woven_);
    Verdict verdict = Verdict::Holds;
    for (const spec::Question& question : woven_.questions) {
      if (!is_wanted(options_, question.target)) continue;
      const support::Context::Share share = next();
      with(question, [&](const AskedQuestion& asked) {
        verdict =
            worst(verdict, ask(program_, asked, options_.engine, session_));
      });
    }
    for (const spec::ProgramQuestion& question : woven_.programs) {
      if (!is_wanted(options_, question.definition.name)) continue;
      const support::Context::Share share = next();
      verdict =
          worst(verdict, ask(program_, question, woven_.own, induction_,
                             digest_, has_errors(), options_.engine, session_));
    }
    return verdict;
  }

 private:
  bool has_errors() const { return options_.input.options.overflow_is_error; }

  support::Context::Share next() {
    const std::size_t left = session_.untried.size();
    session_.untried.erase(session_.untried.begin());
    return support::Context::Share(session_.context, left);
  }

  template <class Use>
  std::invoke_result_t<Use, const AskedQuestion&> with(
      const spec::Question& question, const Use& use) {
    const auto entry = program_.find_function(question.entry);
    AGON_ASSERT(entry.has_value());
    const std::shared_ptr<const lts::Lts> spec =
        has_errors() ? spec::without_errors(*question.lts) : question.lts;
    const AskedQuestion asked{
        .target = question.target,
        .spec = question.spec,
        .entry = *entry,
        .lts = *spec,
        .any_state = question.target != "main",
        .guard = question.guard,
        .guards = question.guards,
        .covered = spec::GuardCheck::covered(question.arm),
        .covers_all_entries = question.covers_all_entries,
        .around = &around_,
        .arm = question.arm,
        .state_names = question.state_names,
        .own = &woven_.own,
        .induction = &induction_,
        .digest = &digest_,
        .unperformed = question.unperformed,
        .contradictory = question.contradictory};
    return use(asked);
  }

  const ConformanceOptions& options_;
  const ir::Program& program_;
  const spec::Woven& woven_;
  const evidence::Surroundings& around_;
  Session& session_;
  const ProgramDigest digest_;
  Induction induction_;
};

}  // namespace

ExitCode check_one(const ConformanceOptions& options, Session& session) {
  const spec::Specification specification =
      spec::load(options.spec, session.context);
  CInput input = options.input;
  input.options.fragments = specification.fragments();
  input.options.constants_must_not_wrap =
      options.engine.verify.integers == verify::Integers::Mathematical;
  frontend::Lowered lowered = load_all(input, session);
  ir::Program& program = lowered.program;
  session.report.inputs->spec = note_file(options.spec);
  const evidence::Surroundings around =
      surroundings(program, &specification, {"__agon_overflow"});
  session.files.push_back(options.spec);
  const spec::Woven woven =
      spec::weave(program, specification, lowered.unreached);
  if (woven.questions.empty() && woven.programs.empty() &&
      !options.is_target_optional) {
    throw support::InputError(
        fmt::format("'{}' has no 'verify' to decide", options.spec));
  }
  check_target(options, woven);
  for (const spec::GuardCheck& check : woven.guard_checks) {
    check_guards(program, check, options.engine, session);
  }
  if (options.input.options.overflow_is_error) {
    verify::mark_errors(program, spec::kOverflowRoutine);
  }
  assume_routines(program);
  const Verdict verdict = Check(options, program, woven, around, session).run();
  write_certificate(options.input, options.spec, program.model, options.engine,
                    session);
  print_assumptions(session);
  return exit_code(verdict);
}

ExitCode run_conformance(const ConformanceOptions& options, Session& session) {
  return is_project(options) ? check_project(options, session)
                             : check_one(options, session);
}

}  // namespace agon::cli
