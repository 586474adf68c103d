// SPDX-License-Identifier: Apache-2.0
/// `agon check` on a whole project.
#pragma once

#include "cli/commands.h"

namespace agon::cli {

/// Whether several specifications are to be checked, or C files to be chosen,
/// or several processes to be used.
bool is_project(const ConformanceOptions& options);

/// Each target of each specification, in a process of its own.
ExitCode check_project(const ConformanceOptions& options, Session& session);

/// The targets of one specification, in this process.
ExitCode check_one(const ConformanceOptions& options, Session& session);

}  // namespace agon::cli
