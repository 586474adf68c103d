// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <regex>

#include "cli/certificates.h"
#include "cli/commands.h"
#include "cli/harness.h"
#include "cli/output.h"
#include "cli/questions.h"
#include "cli/replay.h"
#include "cli/variant.h"
#include "evidence/witness.h"
#include "frontend/digest.h"
#include "report/version.h"
#include "support/error.h"
#include "support/source.h"
#include "verify/question.h"
#include "verify/record.h"

namespace agon::cli {
namespace {

using support::Verdict;

/// Where execution starts and what must not be called.
struct Property {
  std::string entry;
  std::vector<std::string> errors;
  std::string name = "unreach-call";
  std::string text = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
};

/// What an SV-COMP property file asks for. Throws InputError unless it is that
/// a function is not called, or that nothing overflows.
Property read_property(const std::string& path) {
  const support::Source source = support::Source::open(path);
  static const std::regex unreach_call(
      R"(\s*CHECK\(\s*init\(\s*(\w+)\(\)\s*\)\s*,\s*LTL\(\s*G\s*!\s*call\(\s*(\w+)\(\)\s*\)\s*\)\s*\)\s*)");
  static const std::regex no_overflow(
      R"(\s*CHECK\(\s*init\(\s*(\w+)\(\)\s*\)\s*,\s*LTL\(\s*G\s*!\s*overflow\s*\)\s*\)\s*)");
  std::string text(source.text());
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  std::smatch found;
  if (std::regex_match(text, found, unreach_call)) {
    return {found[1], {found[2], "__agon_overflow"}, "unreach-call", text};
  }
  if (std::regex_match(text, found, no_overflow)) {
    return {found[1], {"__agon_overflow"}, "no-overflow", text};
  }
  source.fail(0,
              "only CHECK( init(F()), LTL(G ! call(G())) ) and CHECK( "
              "init(F()), LTL(G ! overflow) ) can be decided");
}

/// SOURCE_DATE_EPOCH if it is set, so that the same run writes the same file.
std::string creation_time() {
  const char* const epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t time =
      epoch != nullptr ? std::strtoll(epoch, nullptr, 10) : 0;
  std::tm parts{};
  std::array<char, 32> text{};
  if (::gmtime_r(&time, &parts) == nullptr) return "1970-01-01T00:00:00Z";
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

evidence::WitnessTask witness_task(const ir::Program& program,
                                   const Property& property,
                                   const Session& session) {
  evidence::WitnessTask task;
  task.version = report::kVersion;
  for (const auto& file : session.report.inputs->files) {
    task.files.push_back(
        {file.name, file.sha256,
         std::string(support::Source::open(file.name).text())});
  }
  task.specification = property.text;
  task.model = program.model;
  task.creation_time = creation_time();
  task.sha256 = frontend::sha256;
  return task;
}

/// Whether something is known at a loop, by the text of its file.
std::function<bool(const ir::Position&, const ir::Position&)> scopes(
    const ir::Program& program, const evidence::WitnessTask& task) {
  return [&](const ir::Position& declared, const ir::Position& condition) {
    if (declared.file != condition.file || declared.line == 0) return false;
    const std::string& name = program.files[declared.file.index()];
    return std::ranges::any_of(task.files, [&](const auto& file) {
      return file.name == name &&
             evidence::is_in_scope(file.text, declared, condition);
    });
  };
}

void write_witness(const std::string& path, const ir::Program& program,
                   const AskedQuestion& question,
                   const evidence::WitnessTask& task,
                   const evidence::Result& found, Session& session) {
  if (path.empty() || found.verdict == Verdict::Unknown) return;
  if (found.verdict == Verdict::Holds) {
    write_file(path,
               evidence::correctness_witness(task, found.loop_invariants));
  } else if (found.counterexample->recording) {
    write_file(path,
               evidence::violation_witness(
                   task,
                   verify::runnable(
                       {variant_of(program, question,
                                   found.counterexample->recording->variant),
                        question.entry, question.any_state}),
                   *found.counterexample->recording));
  } else {
    session.print(
        "  no witness: the execution could not be carried over to the "
        "source\n");
    return;
  }
  session.print("  witness: {}\n", path);
}

void print_verdict(Verdict verdict, const Property& property,
                   Session& session) {
  std::string text(verdict == Verdict::Holds ? "true" : "unknown");
  if (verdict == Verdict::Violated) {
    text = fmt::format("false({})", property.name);
  }
  session.print("VERDICT: {}\n", text);
}

}  // namespace

ExitCode run_reach(const ReachOptions& options, Session& session) {
  Property property{options.entry,
                    {kErrorRoutines.begin(), kErrorRoutines.end()}};
  CInput input = options.input;
  if (!options.property.empty()) {
    property = read_property(options.property);
    if (property.name == "no-overflow") input.options.overflow_is_error = true;
  }
  input.options.constants_must_not_wrap =
      options.engine.verify.integers == verify::Integers::Mathematical;
  ir::Program program = load_program(input, session);
  session.report.inputs->entry = options.entry;
  if (!options.property.empty()) {
    session.report.inputs->spec = note_file(options.property);
  }
  const ir::FunctionId entry = find_function(program, property.entry);
  const evidence::Surroundings around =
      surroundings(program, nullptr, property.errors);
  verify::mark_errors(program, property.errors);
  assume_routines(program);
  const lts::Lts spec = no_error(session.labels);
  const ProgramDigest digest(program);
  const AskedQuestion question{.target = property.entry,
                               .spec = "no error",
                               .entry = entry,
                               .lts = spec,
                               .any_state = property.entry != "main",
                               .is_specified = false,
                               .around = &around,
                               .errors = property.errors,
                               .digest = &digest};
  EngineOptions engine = options.engine;
  evidence::WitnessTask task;
  if (!options.witness.empty()) {
    task = witness_task(program, property, session);
    engine.verify.is_in_scope = scopes(program, task);
    engine.on_result = [&](const evidence::Result& found) {
      write_witness(options.witness, program, question, task, found, session);
    };
  }
  const Verdict verdict = ask(program, question, engine, session);
  write_certificate(options.input, "", program.model, options.engine, session);
  print_assumptions(session);
  if (options.svcomp) print_verdict(verdict, property, session);
  return exit_code(verdict);
}

}  // namespace agon::cli
