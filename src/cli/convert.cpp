// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/written.h"

namespace agon::cli {

ExitCode run_convert(const ConvertOptions& options, Session& session) {
  check_system_output(options.output);
  System system = load(options.input, session);
  deliver(options.output, system.name, build(system, session.context), session);
  return ExitCode::Holds;
}

}  // namespace agon::cli
