// SPDX-License-Identifier: Apache-2.0
/// The options of the commands that read C.
#pragma once

#include "cli/commands.h"

namespace CLI {
class App;
}

namespace agon::cli {

void add_options(CLI::App* command, ModelOptions& options);
void add_options(CLI::App* command, ConformanceOptions& options);
void add_options(CLI::App* command, ReachOptions& options);
void add_options(CLI::App* command, FalsifyOptions& options);
void add_options(CLI::App* command, ModuleOptions& options);
void add_options(CLI::App* command, ReplayOptions& options);

}  // namespace agon::cli
