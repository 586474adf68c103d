// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

namespace agon::cli {

void begin(Session& session, std::string subject, std::string compared_to) {
  session.subject = std::move(subject);
  session.compared_to = std::move(compared_to);
  publish(session);
}

void publish(Session& session, std::size_t iterations,
             std::vector<std::string> predicates) {
  session.last_words.publish(
      session.report, session.text, session.context.statistics(),
      session.subject, session.compared_to, iterations, std::move(predicates),
      session.untried, session.answered);
}

ExitCode give_up(Session& session, const std::string& reason) {
  Result result;
  result.target = session.subject;
  result.spec = session.compared_to;
  result.verdict = support::Verdict::Unknown;
  result.reason = reason;
  if (session.report.results.empty()) session.text.clear();
  session.report.results.push_back(std::move(result));
  session.print("unknown: {}\n", reason);
  return exit_code(session.report);
}

ExitCode exit_code(const Report& report) {
  ExitCode code = ExitCode::Holds;
  for (const Result& result : report.results) {
    if (!result.verdict || *result.verdict == support::Verdict::Holds) continue;
    code = exit_code(*result.verdict);
    if (code == ExitCode::Violated) break;
  }
  return code;
}

}  // namespace agon::cli
