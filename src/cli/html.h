// SPDX-License-Identifier: Apache-2.0
/// Writes what a run found out as a page.
#pragma once

#include <string>

#include "cli/session.h"

namespace agon::cli {

/// Also reads the files that the report speaks of; those that cannot be read,
/// such as those of the compiler, are left out.
void write_html(const std::string& path, const Session& session);

}  // namespace agon::cli
