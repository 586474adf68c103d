// SPDX-License-Identifier: Apache-2.0
/// Shows a question about a program as the engine sees it.
#pragma once

#include "cli/commands.h"
#include "cli/session.h"

namespace agon::cli {

/// `agon model --as blocks` and `--as abstract`.
ExitCode show_question(const ModelOptions& options, Session& session);

}  // namespace agon::cli
