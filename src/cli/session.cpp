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
      session.subject, session.compared_to, iterations, std::move(predicates));
}

ExitCode give_up(Session& session, const std::string& reason) {
  Result result;
  result.target = session.subject;
  result.spec = session.compared_to;
  result.verdict = support::Verdict::Unknown;
  result.reason = reason;
  session.report.results = {std::move(result)};
  session.text = fmt::format("unknown: {}\n", reason);
  return ExitCode::Unknown;
}

}  // namespace agon::cli
