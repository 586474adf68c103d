// SPDX-License-Identifier: Apache-2.0
#include "cli/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <set>

#include "cli/commands.h"
#include "cli/harness.h"
#include "cli/programs.h"
#include "cli/variant.h"
#include "concurrent/rehearse.h"
#include "evidence/playback.h"
#include "evidence/tracker.h"
#include "frontend/digest.h"
#include "ir/text.h"
#include "report/recorded.h"
#include "support/error.h"
#include "verify/readable.h"
#include "verify/record.h"
#include "verify/steps.h"

namespace agon::cli {
namespace {

using support::InputError;
using support::Verdict;

/// Why the actions are no violation; and what was allowed instead of the last.
std::optional<std::string> judge(const evidence::Recording& recording,
                                 const std::vector<std::string>& actions,
                                 const lts::Lts& spec,
                                 std::vector<std::string>& allowed) {
  evidence::Tracker tracker(spec);
  for (std::size_t i = 0; i < recording.actions.size(); ++i) {
    if (i >= actions.size()) {
      return fmt::format("the execution ends before '{}'",
                         recording.actions[i]);
    }
    if (actions[i] != recording.actions[i]) {
      return fmt::format("it performs '{}' instead of '{}'", actions[i],
                         recording.actions[i]);
    }
    allowed = tracker.allowed();
    const bool is_last = i + 1 == recording.actions.size();
    if (tracker.take(actions[i]) == is_last && !recording.is_branch) {
      return fmt::format("the specification {} '{}'",
                         is_last ? "allows" : "does not allow", actions[i]);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string digest(const ir::Program& program) {
  return frontend::sha256(ir::to_text(program));
}

const std::string& ProgramDigest::text() const {
  if (text_.empty()) text_ = digest(program_);
  return text_;
}

namespace {

/// Shows what was run, and whether it is the violation.
Verdict tell(evidence::Result found, const std::string& problem,
             evidence::Counterexample shown, Session& session,
             const std::function<void(const evidence::Result&)>& print) {
  found.decided_by = "replay";
  found.verdict = problem.empty() ? Verdict::Violated : Verdict::Unknown;
  if (!problem.empty()) found.reason = "not reproduced: " + problem;
  found.counterexample = std::move(shown);
  print(found);
  session.report.results.push_back(to_result(std::move(found)));
  return session.report.results.back().verdict.value();
}

}  // namespace

Verdict replay(const ir::Program& given, const AskedQuestion& question,
               Session& session) {
  Replaying& replaying = *session.replaying;
  const auto* const recording =
      std::get_if<evidence::Recording>(&replaying.execution);
  if (replaying.is_found || recording == nullptr ||
      given[question.entry].name != recording->entry ||
      question.any_state != recording->any_state ||
      digest(given) != recording->program_sha256) {
    return Verdict::Holds;
  }
  replaying.is_found = true;
  const ir::Program original = variant_of(given, question, recording->variant);
  const ir::Program program =
      verify::runnable({original, question.entry, question.any_state});
  std::set<std::string> visible;
  for (const lts::Label label : question.lts.alphabet()) {
    visible.insert(question.lts.labels()->name(label));
  }
  verify::Steps steps(program, std::move(visible), recording->actions.size());
  evidence::Playback playback(*recording);
  ir::InterpreterOptions options = evidence::playback_options(program);
  options.listener = &steps;
  ir::interpret(program, question.entry, playback, options);

  evidence::Result found;
  found.target = question.target;
  found.spec = question.spec;
  evidence::Counterexample shown;
  auto problem = judge(*recording, steps.actions, question.lts, shown.allowed);
  if (!problem) problem = playback.problem();
  shown.actions = std::move(steps.actions);
  shown.steps = std::move(steps.steps);
  shown.initial = verify::describe_start(program, *recording);
  return tell(std::move(found), problem.value_or(""), std::move(shown), session,
              [&](const evidence::Result& told) {
                print(question, told, replaying.is_full, session);
                if (problem) return;
                write_harness(replaying.harness, given, question, recording,
                              session);
              });
}

Verdict replay(const ir::Program& program,
               const spec::ProgramQuestion& question, bool has_errors,
               Session& session) {
  Replaying& replaying = *session.replaying;
  const auto* const together =
      std::get_if<evidence::Interleaving>(&replaying.execution);
  if (replaying.is_found || together == nullptr ||
      question.definition.name != replaying.target ||
      question.spec != replaying.spec) {
    return Verdict::Holds;
  }
  const std::string now = digest(program);
  for (const evidence::Recording& each : together->components) {
    if (each.program_sha256 != now) return Verdict::Holds;
  }
  replaying.is_found = true;
  concurrent::Rehearsed made =
      concurrent::rehearse(program, question, has_errors, *together);
  evidence::Result found;
  found.target = question.definition.name;
  found.spec = question.spec;
  return tell(std::move(found), made.problem, std::move(made.shown), session,
              [&](const evidence::Result& told) {
                print(question, told, replaying.is_full, session);
                if (told.verdict != Verdict::Violated) return;
                write_schedule(replaying.harness, *told.counterexample,
                               session);
              });
}

namespace {

/// Throws unless a file lies below where Agon runs, or below the result.
void check_place(const std::string& path, const ReplayOptions& options) {
  namespace fs = std::filesystem;
  if (options.trust) return;
  const auto is_below = [](const fs::path& file, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end())
               .first == folder.end();
  };
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  const fs::path here = fs::weakly_canonical(fs::current_path(), error);
  const fs::path beside = fs::weakly_canonical(
      fs::absolute(options.file, error).parent_path(), error);
  if (!error && (is_below(whole, here) || is_below(whole, beside))) return;
  throw InputError(fmt::format(
      "{}: this result wants to read '{}', which lies elsewhere; --trust lets "
      "it",
      options.file, path));
}

void check_file(const evidence::Inputs::File& file,
                const ReplayOptions& options) {
  check_place(file.name, options);
  const support::Source source = support::Source::open(file.name);
  if (frontend::sha256(source.text()) == file.sha256) return;
  throw InputError(fmt::format(
      "'{}' has changed since the violation was recorded", file.name));
}

/// Others may load code into the compiler.
void check_argument(const std::string& word, const ReplayOptions& options) {
  static constexpr std::array<std::string_view, 7> kPaths = {
      "-include", "-isystem", "-iquote", "-I", "-D", "-U", "-std"};
  if (options.trust) return;
  if (!word.starts_with('-')) return check_place(word, options);
  for (const std::string_view known : kPaths) {
    if (!word.starts_with(known)) continue;
    const std::string rest = word.substr(known.size());
    const bool is_path = known != "-D" && known != "-U" && known != "-std";
    if (is_path && !rest.empty()) check_place(rest, options);
    return;
  }
  throw InputError(
      fmt::format("{}: this result gives the compiler the argument '{}'; "
                  "--trust lets it",
                  options.file, word));
}

void check_inputs(const evidence::Inputs& inputs,
                  const ReplayOptions& options) {
  for (const auto& file : inputs.files) check_file(file, options);
  if (!inputs.spec.name.empty()) check_file(inputs.spec, options);
  if (!inputs.build_directory.empty()) {
    check_place(inputs.build_directory, options);
    if (!options.trust) {
      throw InputError(options.file +
                       ": this result reads compile commands; --trust lets it");
    }
  }
  for (std::size_t i = 0; i < inputs.arguments.size(); ++i) {
    const std::string& word = inputs.arguments[i];
    const bool is_value = i > 0 && (inputs.arguments[i - 1] == "-D" ||
                                    inputs.arguments[i - 1] == "-U");
    if (!is_value) check_argument(word, options);
  }
}

CInput c_input(const evidence::Inputs& inputs) {
  CInput input;
  for (const auto& file : inputs.files) input.files.push_back(file.name);
  input.options.arguments = inputs.arguments;
  input.options.build_directory = inputs.build_directory;
  input.options.overflow_is_error = inputs.overflow_is_error;
  input.options.volatile_is_input = inputs.volatile_is_input;
  input.options.malloc_may_fail = inputs.malloc_may_fail;
  if (!inputs.data_model.empty()) {
    input.options.model = inputs.data_model == "ILP32" ? ir::DataModel::ILP32
                                                       : ir::DataModel::LP64;
  }
  return input;
}

ExitCode run_again(const report::Recorded& recorded, Session& session) {
  const evidence::Inputs& inputs = recorded.inputs;
  const CInput input = c_input(inputs);
  if (recorded.command == "check") {
    ConformanceOptions options;
    options.input = input;
    options.spec = inputs.spec.name;
    return run_conformance(options, session);
  }
  if (recorded.command == "reach" || recorded.command == "falsify") {
    ReachOptions options;
    options.input = input;
    options.entry = inputs.entry;
    options.property = inputs.spec.name;
    return run_reach(options, session);
  }
  if (recorded.command == "module") {
    ModuleOptions options;
    options.input = input;
    options.api = inputs.api;
    options.spec = inputs.spec.name;
    options.callbacks = inputs.callbacks;
    return run_module(options, session);
  }
  throw InputError(
      fmt::format("results of 'agon {}' cannot be replayed", recorded.command));
}

}  // namespace

ExitCode run_replay(const ReplayOptions& options, Session& session) {
  const report::Recorded recorded = report::read_recorded(
      support::Source::open(options.file), options.result);
  check_inputs(recorded.inputs, options);
  Replaying replaying{recorded.execution, recorded.target,
                      recorded.spec,      false,
                      options.harness,    options.full_trace};
  session.replaying = &replaying;
  const ExitCode code = run_again(recorded, session);
  session.replaying = nullptr;
  if (!replaying.is_found) {
    throw InputError(fmt::format(
        "{}: the program is another one now: a header or an imported "
        "specification has changed, or Agon has",
        options.file));
  }
  return code;
}

}  // namespace agon::cli
