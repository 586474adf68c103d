// SPDX-License-Identifier: Apache-2.0
/// The options of `agon open`.
#pragma once

#include "cli/open.h"

namespace CLI {
class App;
}

namespace agon::cli {

void add_options(CLI::App* command, OpenOptions& options);

}  // namespace agon::cli
