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
#include "cli/sharing.h"
#include "concurrent/decide.h"
#include "report/recorded.h"
#include "report/specification.h"
#include "smt/solvers.h"
#include "spec/induction.h"
#include "support/watchdog.h"

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
            const OwnAbstractions& own, Induction& induction, bool has_errors,
            const EngineOptions& options, Session& session) {
  if (session.replaying != nullptr) return Verdict::Holds;  // Not recorded.
  begin(session, question.definition.name, question.spec);
  const auto identify = [&](CacheKey& key) {
    describe(question, key);
    key.add(has_errors ? "errors" : "").add(program);
  };
  evidence::Result found = remembered(
      identify, session,
      [&] {
        evidence::Result result =
            decide(program, question, has_errors, options, session);
        if (result.verdict != Verdict::Violated ||
            !relies_on_abstraction(program, question, own)) {
          return result;
        }
        return as_unknown(std::move(result),
                          "a violation was found that may depend on what a "
                          "component is taken to do where it calls itself");
      },
      [](const evidence::Result&) { return true; });
  complete(program, question, induction, found);
  assume_no_sharing(question, session);
  const Verdict verdict = found.verdict;
  print(question, found, options.full_trace, session);
  assume_copies(program, question, session);
  assume_bystanders(program, question, session);
  assume_participation(program, question, session);
  if (found.counterexample && !options.harness.empty() &&
      !session.has_harness) {
    write_file(options.harness, report::schedule(*found.counterexample));
    session.has_harness = true;
    session.print("  schedule: {}\n", options.harness);
  }
  const std::size_t splits = found.splits;
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
  certify(program, question, has_errors, options, session, result);
  session.report.results.push_back(std::move(result));
  publish(session);
  return verdict;
}

}  // namespace agon::cli
