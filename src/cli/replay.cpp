// SPDX-License-Identifier: Apache-2.0
#include "cli/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "cli/commands.h"
#include "cli/harness.h"
#include "cli/variant.h"
#include "evidence/playback.h"
#include "evidence/tracker.h"
#include "frontend/digest.h"
#include "ir/print.h"
#include "ir/text.h"
#include "report/recorded.h"
#include "support/error.h"
#include "verify/readable.h"
#include "verify/record.h"

namespace agon::cli {
namespace {

using support::InputError;
using support::Verdict;

constexpr std::size_t kMostShownSteps = 100'000;  // That are shown.

/// Takes down the steps of a run, up to so many visible actions.
class Steps final : public ir::Listener {
 public:
  Steps(const ir::Program& program, std::set<std::string> visible,
        std::size_t num_actions)
      : program_(program),
        visible_(std::move(visible)),
        num_actions_(num_actions) {}

  bool step(const ir::Step& step, const ir::StateView& state) override {
    add_value(step, state);
    if (actions.size() == num_actions_) return false;
    const ir::Edge& edge = program_[step.function].body.edge(step.edge);
    evidence::SourceStep shown;
    if (edge.position.line != 0) {
      shown.file = program_.files[edge.position.file.index()];
      shown.line = edge.position.line;
    }
    shown.text =
        verify::with_short_names(ir::to_string(program_, edge.statement));
    target_ = ir::VariableId();
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      target_ = assign->target;
      shown.is_technical =
          program_[target_].kind == ir::VariableKind::Temporary;
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      target_ = havoc->target;
    } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
      note_action(*call, shown);
    }
    last_ = step;
    if (steps.size() < kMostShownSteps) steps.push_back(std::move(shown));
    return true;
  }

  std::vector<evidence::SourceStep> steps;
  std::vector<std::string> actions;

 private:
  /// What the last step assigned is known now, unless the call has ended.
  void add_value(const ir::Step& step, const ir::StateView& state) {
    if (!target_.valid() || steps.empty() || steps.size() == kMostShownSteps ||
        step.function != last_.function || step.depth != last_.depth ||
        program_[target_].term.sort().is_array()) {
      return;
    }
    const ir::Variable& target = program_[target_];
    steps.back().values.emplace_back(
        verify::with_short_names(target.display),
        verify::number_text(
            program_, target,
            {target.term.sort(), term::Integer(state.value(target_)), {}}));
  }

  void note_action(const ir::Call& call, evidence::SourceStep& shown) {
    if (!call.callee.valid() || !program_[call.callee].is_action) return;
    shown.text = program_[call.callee].display;
    if (!visible_.contains(shown.text)) return;
    shown.action = shown.text;
    actions.push_back(shown.text);
  }

  const ir::Program& program_;
  std::set<std::string> visible_;
  std::size_t num_actions_;
  ir::VariableId target_;
  ir::Step last_;
};

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

void show_start(const ir::Program& program,
                const evidence::Recording& recording,
                evidence::Counterexample& shown) {
  for (const auto& [name, value] : recording.initial) {
    const ir::VariableId id = program.variable_of(program.pool->find(name));
    if (!id.valid()) continue;
    const ir::Variable& variable = program[id];
    shown.initial.emplace_back(
        variable.display,
        verify::number_text(program, variable,
                            {variable.term.sort(), term::Integer(value), {}}));
  }
}

}  // namespace

std::string digest(const ir::Program& program) {
  return frontend::sha256(ir::to_text(program));
}

const std::string& ProgramDigest::text() const {
  if (text_.empty()) text_ = digest(program_);
  return text_;
}

Verdict replay(const ir::Program& given, const AskedQuestion& question,
               Session& session) {
  Replaying& replaying = *session.replaying;
  const evidence::Recording& recording = replaying.recording;
  if (replaying.is_found || given[question.entry].name != recording.entry ||
      digest(given) != recording.program_sha256) {
    return Verdict::Holds;
  }
  replaying.is_found = true;
  const ir::Program original = variant_of(given, question, recording.variant);
  const ir::Program program =
      verify::runnable({original, question.entry, recording.any_state});
  std::set<std::string> visible;
  for (const lts::Label label : question.lts.alphabet()) {
    visible.insert(question.lts.labels()->name(label));
  }
  Steps steps(program, std::move(visible), recording.actions.size());
  evidence::Playback playback(recording);
  ir::InterpreterOptions options = evidence::playback_options(program);
  options.listener = &steps;
  ir::interpret(program, question.entry, playback, options);

  evidence::Result found;
  found.target = question.target;
  found.spec = question.spec;
  found.decided_by = "replay";
  evidence::Counterexample shown;
  auto problem = judge(recording, steps.actions, question.lts, shown.allowed);
  if (!problem) problem = playback.problem();
  found.verdict = problem ? Verdict::Unknown : Verdict::Violated;
  if (problem) found.reason = "not reproduced: " + *problem;
  shown.actions = std::move(steps.actions);
  shown.steps = std::move(steps.steps);
  show_start(program, recording, shown);
  found.counterexample = std::move(shown);
  print(question, found, replaying.is_full, session);
  if (!problem) {
    write_harness(replaying.harness, given, question, &recording, session);
  }
  session.report.results.push_back(to_result(std::move(found)));
  return session.report.results.back().verdict.value();
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
  Replaying replaying{recorded.recording, false, options.harness,
                      options.full_trace};
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
