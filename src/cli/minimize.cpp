// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/written.h"
#include "lts/bisimulation.h"
#include "lts/simulation_quotient.h"
#include "support/error.h"

namespace agon::cli {
namespace {

lts::Lts minimise(const lts::Lts& lts, Equivalence equivalence,
                  support::Context& context) {
  switch (equivalence) {
    case Equivalence::Strong:
      return lts::quotient(lts, lts::strong_bisimulation(lts),
                           lts::Inert::Keep);
    case Equivalence::Branching:
      return lts::quotient(lts, lts::branching_bisimulation(lts),
                           lts::Inert::Drop);
    case Equivalence::Weak:
      return lts::quotient(lts, lts::weak_bisimulation(lts, context),
                           lts::Inert::Drop);
    case Equivalence::Trace:
      return lts::minimise_by_traces(lts, lts::Silent::Visible, context);
    case Equivalence::WeakTrace:
      return lts::minimise_by_traces(lts, lts::Silent::Hidden, context);
    case Equivalence::Simulation:
      return lts::minimise_by_simulation(lts, context);
  }
  throw support::InputError("this equivalence is not known");
}

}  // namespace

ExitCode run_minimize(const MinimizeOptions& options, Session& session) {
  check_system_output(options.output);
  System system = load(options.input, session);
  deliver(options.output, system.name,
          minimise(build(system, session.context), options.equivalence,
                   session.context),
          session);
  return ExitCode::Holds;
}

}  // namespace agon::cli
