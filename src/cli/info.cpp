// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "lts/lts.h"

namespace agon::cli {

ExitCode run_info(const InfoOptions& options, Session& session) {
  System system = load(options.input, session);
  const lts::LtsInfo info = lts::info(build(system, session.context));

  Result result;
  result.target = system.name;
  result.states = info.states;
  result.extra = {{"states", info.states},
                  {"transitions", info.transitions},
                  {"labels", info.labels},
                  {"silent", info.silent},
                  {"deadlocks", info.deadlocks},
                  {"deterministic", info.deterministic},
                  {"reachable_states", info.reachable_states},
                  {"terminated", info.terminated},
                  {"error", info.error}};
  session.report.extra = result.extra;
  session.report.results.push_back(std::move(result));

  const auto yes_or_no = [](bool yes) { return yes ? "yes" : "no"; };
  session.print("{}\n", system.name);
  session.print("  states         {} ({} reachable)\n", info.states,
                info.reachable_states);
  session.print("  transitions    {} ({} silent)\n", info.transitions,
                info.silent);
  session.print("  labels         {}\n", info.labels);
  session.print("  deadlocks      {}\n", info.deadlocks);
  session.print("  terminated     {}\n", info.terminated);
  session.print("  ERROR state    {}\n", yes_or_no(info.error));
  session.print("  deterministic  {}\n", yes_or_no(info.deterministic));
  return ExitCode::Holds;
}

}  // namespace agon::cli
