// SPDX-License-Identifier: Apache-2.0
/// The commands of `agon lts` with their own options.
#pragma once

#include <utility>
#include <vector>

#include "cli/arguments.h"

namespace CLI {
class App;
}

namespace agon::cli {

/// Adds them below `lts`, and says what each of them does.
std::vector<std::pair<CLI::App*, Run>> add_lts_commands(CLI::App& lts);

}  // namespace agon::cli
