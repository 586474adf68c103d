// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

namespace agon::cli {

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
