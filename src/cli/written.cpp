// SPDX-License-Identifier: Apache-2.0
#include "cli/written.h"

#include "cli/output.h"

namespace agon::cli {

void deliver(const std::string& output, const std::string& name,
             const lts::Lts& lts, Session& session) {
  write_system(output, lts, session.context);
  announce(output, name, lts, session);
}

void announce(const std::string& output, const std::string& name,
              const lts::Lts& lts, Session& session) {
  const lts::LtsInfo info = lts::info(lts);
  Result result;
  result.target = name;
  result.states = info.states;
  result.extra = {{"transitions", info.transitions}, {"output", output}};
  session.report.results.push_back(std::move(result));
  session.print("{}: {} states, {} transitions\n", output, info.states,
                info.transitions);
}

}  // namespace agon::cli
