// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "lts/checks.h"

namespace agon::cli {
namespace {

using support::Verdict;

std::vector<std::string> names(const std::vector<lts::Label>& labels,
                               const lts::LabelTable& table) {
  std::vector<std::string> result;
  for (const lts::Label label : labels) result.push_back(table.name(label));
  return result;
}

/// Turns findings into text in the manner of LTSA, and into results.
class Reporter {
 public:
  Reporter(const System& system, const lts::Analysis& analysis,
           Session& session)
      : system_(system), analysis_(analysis), session_(session) {}

  void add(const std::string& what, const std::string& decided_by,
           const lts::Finding& finding, const std::string& trace_title) {
    session_.print("{}: {}", what, to_string(finding.verdict));
    if (!finding.reason.empty()) session_.print(" ({})", finding.reason);
    session_.print("\n");
    Result result;
    result.target = system_.name;
    result.spec = what;
    result.verdict = finding.verdict;
    result.decided_by = decided_by;
    result.reason = finding.reason;
    result.states = analysis_.states;
    if (finding.verdict == Verdict::Violated) {
      const auto actions = names(finding.trace, *session_.labels);
      session_.print("  Trace to {}:\n", trace_title);
      if (actions.empty()) session_.print("    (the initial state)\n");
      for (const std::string& action : actions) {
        session_.print("    {}\n", action);
      }
      result.counterexample.emplace().actions = actions;
    }
    session_.report.results.push_back(std::move(result));
    note_verdict(finding.verdict);
  }

  void add_progress(const lts::ProgressFinding& finding) {
    add("progress " + finding.name, "terminal sets", finding,
        "terminal set of states");
    if (finding.verdict != Verdict::Violated) return;
    const auto recurring = names(finding.recurring, *session_.labels);
    session_.print("  Actions in terminal set: {{{}}}\n",
                   fmt::join(recurring, ", "));
    session_.print("  Missing: {{{}}}\n", fmt::join(finding.missing, ", "));
    session_.report.results.back().extra = {{"recurring", recurring},
                                            {"missing", finding.missing}};
  }

  Verdict overall() const { return overall_; }

 private:
  // One violation decides, and otherwise one unknown.
  void note_verdict(Verdict verdict) {
    if (verdict == Verdict::Violated || overall_ == Verdict::Holds) {
      overall_ = verdict;
    }
  }

  const System& system_;
  const lts::Analysis& analysis_;
  Session& session_;
  Verdict overall_ = Verdict::Holds;
};

}  // namespace

ExitCode run_check(const CheckOptions& options, Session& session) {
  System system = load(options.input, session);
  std::vector<lts::ProgressTest> tests = system.progress;
  if (options.default_progress) {
    tests.push_back(lts::default_progress(*system.successors));
  }
  const lts::Analysis analysis =
      lts::analyse(*system.successors, tests, session.context);
  session.print("{}: {} states, {} transitions\n", system.name, analysis.states,
                analysis.transitions);
  Reporter reporter(system, analysis, session);
  reporter.add("safety", "reachability", analysis.safety, "ERROR");
  reporter.add("deadlock", "reachability", analysis.deadlock, "DEADLOCK");
  for (const lts::ProgressFinding& finding : analysis.progress) {
    reporter.add_progress(finding);
  }
  return exit_code(reporter.overall());
}

}  // namespace agon::cli
