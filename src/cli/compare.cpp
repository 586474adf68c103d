// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "support/error.h"
namespace agon::cli {
ExitCode run_compare(const CompareOptions&, Session&) {
  throw support::InputError("not yet");
}
}  // namespace agon::cli
