// SPDX-License-Identifier: Apache-2.0
#include "cli/questions.h"

#include <fmt/format.h>

#include "smt/solvers.h"
#include "support/watchdog.h"
#include "verify/question.h"
#include "verify/sequential.h"

namespace agon::cli {
namespace {

using support::Verdict;

Result to_result(evidence::Result found) {
  Result result;
  result.target = std::move(found.target);
  result.spec = std::move(found.spec);
  result.verdict = found.verdict;
  result.decided_by = std::move(found.decided_by);
  result.reason = std::move(found.reason);
  result.iterations = found.iterations;
  result.predicates = std::move(found.predicates);
  result.states = found.states;
  result.solver_calls = found.solver_calls;
  result.time_s = found.time_s;
  if (found.counterexample) {
    Counterexample shown;
    shown.actions = std::move(found.counterexample->actions);
    shown.allowed = std::move(found.counterexample->allowed);
    shown.steps = std::move(found.counterexample->steps);
    result.counterexample = std::move(shown);
  }
  return result;
}

void print_steps(const Counterexample& counterexample, Session& session) {
  for (const evidence::SourceStep& step : counterexample.steps) {
    std::string values;
    for (const auto& [name, value] : step.values) {
      values += fmt::format("  {} = {}", name, value);
    }
    session.print("  {}:{}: {}{}\n", step.file, step.line,
                  step.action.empty() ? step.text : step.action, values);
  }
}

void print(const Result& result, Session& session) {
  session.print("{}: {}", result.target, to_string(*result.verdict));
  if (!result.reason.empty()) session.print(" ({})", result.reason);
  session.print("\n");
  if (result.counterexample) print_steps(*result.counterexample, session);
}

}  // namespace

Verdict worst(Verdict a, Verdict b) {
  if (a == Verdict::Violated || b == Verdict::Violated) {
    return Verdict::Violated;
  }
  return a == Verdict::Holds ? b : a;
}

evidence::Result decide(ir::Program program, const AskedQuestion& question,
                        const EngineOptions& options, Session& session) {
  evidence::Result found;
  verify::Prepared prepared =
      verify::prepare(std::move(program), question.entry, question.lts,
                      question.any_state, session.context);
  if (prepared.reason) {
    found.reason = *prepared.reason;
  } else {
    smt::SolverFactory solvers(*prepared.program.pool, {options.solver});
    const auto solver = solvers.make();
    const support::Watchdog watchdog(session.context,
                                     [&] { solver->interrupt(); });
    found = verify::decide({prepared.program, prepared.entry, question.lts},
                           options.verify, *solver, session.context);
  }
  found.target = question.target;
  found.spec = question.spec;
  report_assumptions(prepared.program, session.report);
  return found;
}

Verdict ask(ir::Program program, const AskedQuestion& question,
            const EngineOptions& options, Session& session) {
  Result result =
      to_result(decide(std::move(program), question, options, session));
  if (!question.guard.empty()) {
    result.extra.emplace_back("guard", question.guard);
  }
  if (!question.covers_all_entries) {
    result.extra.emplace_back(
        "precondition",
        std::string("the verdict is about calls that the guards cover"));
  }
  print(result, session);
  const Verdict verdict = *result.verdict;
  session.report.results.push_back(std::move(result));
  return verdict;
}

}  // namespace agon::cli
