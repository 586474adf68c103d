// SPDX-License-Identifier: Apache-2.0
#include "cli/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "cli/cache.h"
#include "cli/certificates.h"
#include "cli/chart.h"
#include "cli/decide.h"
#include "cli/induction.h"
#include "cli/output.h"
#include "cli/replay.h"
#include "cli/sharing.h"
#include "concurrent/decide.h"
#include "concurrent/rehearse.h"
#include "ir/library.h"
#include "report/recorded.h"
#include "report/specification.h"
#include "smt/solvers.h"
#include "spec/induction.h"
#include "support/sort_unique.h"
#include "support/watchdog.h"
#include "verify/knowledge.h"
#include "verify/record.h"

namespace agon::cli {
namespace {

using support::Verdict;

evidence::Result decide(const ir::Program& program,
                        const spec::ProgramQuestion& question, bool has_errors,
                        const EngineOptions& options, Session& session) {
  evidence::Result found;
  const concurrent::Prepared prepared = concurrent::prepare(
      program, question, has_errors, options.verify.integers, session.context);
  if (prepared.reason) {
    found.reason = *prepared.reason;
  } else {
    std::map<const term::Pool*, smt::SolverFactory> factories;
    std::vector<std::unique_ptr<smt::Solver>> owned;
    std::vector<smt::Solver*> solvers;
    for (const auto& model : prepared.models) {
      term::Pool& pool = *model->prepared.program.pool;
      const auto [at, is_new] = factories.try_emplace(
          &pool, pool,
          smt::SolverOptions{.name = options.solver,
                             .context = &session.context});
      owned.push_back(at->second.make());
      solvers.push_back(owned.back().get());
    }
    const support::Watchdog watchdog(session.context, [&] {
      for (smt::Solver* const solver : solvers) solver->interrupt();
    });
    found =
        concurrent::decide(prepared, options.verify, solvers, session.context);
  }
  for (const auto& model : prepared.models) {
    report_assumptions(model->prepared.program, program, session.report);
  }
  found.target = question.definition.name;
  found.spec = question.spec;
  return found;
}

std::vector<evidence::Recording>* recordings(evidence::Result& result) {
  auto& shown = result.counterexample;
  return shown && shown->interleaving ? &shown->interleaving->components
                                      : nullptr;
}

/// What was recorded is told only if the program itself does it, and if
/// routines without a body change nothing that they cannot know.
evidence::Result replayed(evidence::Result found, const ir::Program& program,
                          const spec::ProgramQuestion& question,
                          bool has_errors) {
  if (!found.counterexample || !found.counterexample->interleaving) {
    return found;
  }
  const evidence::Interleaving& together = *found.counterexample->interleaving;
  const std::string problem =
      concurrent::rehearse(program, question, has_errors, together).problem;
  if (!problem.empty()) {
    return as_unknown(std::move(found),
                      "a violation was found that could not be replayed on "
                      "the whole program: " +
                          problem);
  }
  const auto until = question.lts == nullptr ? evidence::Until::Rest
                                             : evidence::Until::LastAction;
  for (const evidence::Recording& each : together.components) {
    const auto doubt = verify::change_without_knowledge(
        verify::runnable(
            {program, *program.find_function(each.entry), each.any_state}),
        each, until);
    if (doubt) return as_unknown(std::move(found), *doubt);
  }
  return found;
}

/// As for procedures: the routines of the C library on which a violation may
/// rest.
std::vector<std::string> library_calls(const ir::Program& program,
                                       const spec::ProgramQuestion& question,
                                       const evidence::Result& found) {
  const auto& together = found.counterexample->interleaving;
  std::vector<std::string> result;
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    const auto names = cli::library_calls(
        program, *program.find_function(question.components[i].entry),
        together ? &together->components[i] : nullptr);
    result.insert(result.end(), names.begin(), names.end());
  }
  support::sort_unique(result);
  return result;
}

/// A violation may not rest on what the C library never returns.
evidence::Result decide_really(const ir::Program& program,
                               const spec::ProgramQuestion& question,
                               bool has_errors, const EngineOptions& options,
                               Session& session) {
  const std::vector<ReportedAssumption> assumed = session.report.assumptions;
  evidence::Result found =
      replayed(decide(program, question, has_errors, options, session), program,
               question, has_errors);
  if (found.verdict != Verdict::Violated) return found;
  std::vector<std::string> names = library_calls(program, question, found);
  if (names.empty()) return found;
  session.report.assumptions = assumed;
  const ir::Program defined = ir::with_library(program);
  found = replayed(decide(defined, question, has_errors, options, session),
                   defined, question, has_errors);
  if (found.verdict == Verdict::Unknown) {
    found.reason = rests_on_library(names, found.reason);
  }
  if (auto* const recorded = recordings(found)) {
    for (auto& each : *recorded) each.variant.has_library = true;
  }
  found.library = std::move(names);
  return found;
}

/// Says which program was recorded.
void identify_program(const ProgramDigest& digest, evidence::Result& result) {
  auto* const recorded = recordings(result);
  if (recorded == nullptr) return;
  for (auto& each : *recorded) each.program_sha256 = digest.text();
}

/// The same for an answer that was kept; false if places in it are not there
/// any more, and somebody wants to see it.
bool can_be_completed(const ProgramDigest& digest, const EngineOptions& options,
                      evidence::Result& known) {
  auto* const recorded = recordings(known);
  const bool is_lost =
      recorded != nullptr &&
      std::ranges::any_of(*recorded, [](const evidence::Recording& each) {
        return each.program_sha256.empty();
      });
  if (is_lost) return options.verify.detail == evidence::Detail::None;
  identify_program(digest, known);
  return true;
}

/// All that an answer depends on but the program.
void describe(const spec::ProgramQuestion& question, CacheKey& key) {
  key.add("program").add(question.definition.name).add(question.spec);
  if (question.lts != nullptr) key.add(*question.lts);
  for (const spec::ComponentQuestion& each : question.components) {
    key.add("component").add(each.name).add(each.routine).add(each.guard);
    key.add(each.entry);
    for (const spec::ComponentQuestion::Action& action : each.actions) {
      key.add(action.is_return ? "return" : "action").add(action.local);
      for (const std::string& name : action.names) key.add(name);
    }
  }
}

void assume_no_sharing(const spec::ProgramQuestion& question,
                       Session& session) {
  ReportedAssumption assumption;
  assumption.subject = "components";
  assumption.is_routine = false;
  assumption.why =
      "they share no memory: each has variables of its own, also where they "
      "are global";
  const support::Location place = question.place.location();
  assumption.file = place.file;
  assumption.line = place.line;
  add_assumption(std::move(assumption), session.report);
}

/// Whoever means threads has to know.
void assume_copies(const ir::Program& program,
                   const spec::ProgramQuestion& question, Session& session) {
  for (const SharedVariable& each : shared_variables(program, question)) {
    ReportedAssumption assumption;
    assumption.subject = each.name;
    assumption.is_routine = false;
    assumption.why = fmt::format(
        "each component has one of its own, though {} may assign to it and {} "
        "use it",
        fmt::join(each.writers, ", "), fmt::join(each.users, ", "));
    if (each.position.line != 0) {
      assumption.file = program.files[each.position.file.index()];
      assumption.line = each.position.line;
    }
    add_assumption(std::move(assumption), session.report);
    session.print(
        "  note: {} is not shared: each component has one of its own\n",
        each.name);
  }
}

/// Whoever means that a call counts though nothing leads to it has to know.
void assume_bystanders(const ir::Program& program,
                       const spec::ProgramQuestion& question,
                       Session& session) {
  for (const spec::Bystander& each : question.bystanders) {
    ReportedAssumption assumption;
    assumption.subject = each.component;
    assumption.is_routine = false;
    assumption.why = fmt::format(
        "takes no part in {}: its call that performs it is never reached",
        each.action);
    assumption.file = program.files[each.call.file.index()];
    assumption.line = each.call.line;
    session.print(
        "  note: {} takes no part in {}: the call at {}:{} is never "
        "reached\n",
        each.component, each.action, assumption.file, assumption.line);
    add_assumption(std::move(assumption), session.report);
  }
}

/// Whoever knows where the pointer leads has to know that others have to wait.
void assume_participation(const ir::Program& program,
                          const spec::ProgramQuestion& question,
                          Session& session) {
  for (const spec::Supposed& each : question.supposed) {
    const std::string actions =
        fmt::format("{}", fmt::join(each.actions, ", "));
    ReportedAssumption assumption;
    assumption.subject = each.component;
    assumption.is_routine = false;
    assumption.why = fmt::format(
        "takes part in {}: a call through a pointer might perform it", actions);
    assumption.file = program.files[each.call.file.index()];
    assumption.line = each.call.line;
    session.print(
        "  note: {} takes part in {}: the call through a pointer at {}:{} "
        "might perform it\n",
        each.component, actions, assumption.file, assumption.line);
    add_assumption(std::move(assumption), session.report);
  }
}

void print_waiting(const evidence::Counterexample& counterexample,
                   Session& session) {
  session.print("  stuck:\n");
  for (const auto& [component, names] : counterexample.waiting) {
    session.print("    {} {}\n", component,
                  names.empty()
                      ? std::string("does not go on")
                      : fmt::format("waits for {}", fmt::join(names, ", ")));
  }
}

}  // namespace

void print(const spec::ProgramQuestion& question, const evidence::Result& found,
           bool is_full, Session& session) {
  session.print("{}: {}: {}", found.target, found.spec,
                to_string(found.verdict));
  if (!found.reason.empty()) session.print(" ({})", found.reason);
  session.print("\n");
  for (const spec::ComponentQuestion& each : question.components) {
    if (each.guard.empty()) continue;
    session.print("  for calls of {} with {}\n", each.name, each.guard);
  }
  if (found.counterexample) {
    const evidence::Counterexample& shown = *found.counterexample;
    session.print("  actions: {}\n", fmt::join(shown.actions, ", "));
    if (question.lts != nullptr) {
      session.print("  allowed instead of the last: {}\n",
                    shown.allowed.empty()
                        ? "nothing"
                        : fmt::format("{}", fmt::join(shown.allowed, ", ")));
    }
    print_strategy(shown, session);
    if (!shown.initial.empty()) {
      session.print("  at the start:");
      for (const auto& [name, value] : shown.initial) {
        session.print(" {} = {}", name, value);
      }
      session.print("\n");
    }
    session.print("  path:\n{}",
                  chart(shown.components,
                        is_full ? shown.steps : essential(shown.steps)));
    if (question.lts == nullptr) print_waiting(shown, session);
  }
  if (found.verdict == Verdict::Holds) print_emptiness(found, session);
  print_learnt(found, session);
}

void write_schedule(const std::string& path,
                    const evidence::Counterexample& counterexample,
                    Session& session) {
  if (path.empty() || session.has_harness) return;
  write_file(path, report::schedule(counterexample));
  session.has_harness = true;
  session.print("  schedule: {}\n", path);
}

namespace {

bool relies_on_abstraction(const ir::Program& program,
                           const spec::ProgramQuestion& question,
                           const OwnAbstractions& own) {
  return std::ranges::any_of(
      question.components, [&](const spec::ComponentQuestion& each) {
        const auto entry = program.find_function(each.entry);
        return entry && cli::relies_on_abstraction(program, *entry, own);
      });
}

/// A proof that takes for granted what is not proved is none.
void complete(const ir::Program& program, const spec::ProgramQuestion& question,
              Induction& induction, evidence::Result& found) {
  for (const spec::ComponentQuestion& each : question.components) {
    if (found.verdict != Verdict::Holds) return;
    const auto entry = program.find_function(each.entry);
    const auto target = entry ? induction.gap(*entry) : std::nullopt;
    if (target)
      found = as_unknown(std::move(found), spec::takes_for_granted(*target));
  }
}

}  // namespace

Verdict ask(const ir::Program& program, const spec::ProgramQuestion& question,
            const OwnAbstractions& own, Induction& induction,
            const ProgramDigest& digest, bool has_errors,
            const EngineOptions& options, Session& session) {
  if (session.replaying != nullptr) {
    return replay(program, question, has_errors, session);
  }
  begin(session, question.definition.name, question.spec);
  const auto identify = [&](CacheKey& key) {
    describe(question, key);
    key.add(has_errors ? "errors" : "").add(program);
  };
  evidence::Result found = remembered(
      identify, session,
      [&] {
        evidence::Result result =
            decide_really(program, question, has_errors, options, session);
        identify_program(digest, result);
        if (result.verdict != Verdict::Violated ||
            !relies_on_abstraction(program, question, own)) {
          return result;
        }
        return as_unknown(std::move(result),
                          "a violation was found that may depend on what a "
                          "component is taken to do where it calls itself");
      },
      [&](evidence::Result& known) {
        return can_be_completed(digest, options, known);
      });
  complete(program, question, induction, found);
  assume_no_sharing(question, session);
  for (const std::string& name : found.library) {
    add_assumption({.subject = name, .is_routine = true, .why = ir::kStandard},
                   session.report);
  }
  const Verdict verdict = found.verdict;
  print(question, found, options.full_trace, session);
  assume_copies(program, question, session);
  assume_bystanders(program, question, session);
  assume_participation(program, question, session);
  if (found.counterexample) {
    write_schedule(options.harness, *found.counterexample, session);
  }
  const std::size_t splits = found.splits;
  const bool has_library = !found.library.empty();
  Result result = to_result(std::move(found));
  note_unperformed(question.unperformed, result, session);
  if (question.lts) {
    report::add_specification(*question.lts, question.state_names, result);
  }
  std::vector<std::string> components;
  std::vector<std::string> guards;
  for (const spec::ComponentQuestion& each : question.components) {
    components.push_back(each.name);
    if (!each.guard.empty()) guards.push_back(each.guard);
  }
  result.extra.emplace_back("components", std::move(components));
  if (!guards.empty()) result.extra.emplace_back("guards", std::move(guards));
  result.extra.emplace_back("splits", splits);
  const support::Location place = question.place.location();
  result.file = place.file;
  result.line = place.line;
  certify(program, question, induction, has_errors, has_library, options,
          session, result);
  session.report.results.push_back(std::move(result));
  publish(session);
  return verdict;
}

}  // namespace agon::cli
