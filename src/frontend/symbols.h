// SPDX-License-Identifier: Apache-2.0
/// What C files define and need, as a linker sees them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "support/context.h"

namespace agon::frontend {

/// Names of functions and variables.
struct Symbols {
  std::set<std::string> defined;  ///< For all files.
  std::set<std::string> own;      ///< Static functions.
  std::set<std::string> needed;   ///< Used, but defined elsewhere.
};

/// Throws InputError if the file has errors.
Symbols symbols_of(const std::string& file, const Options& options,
                   support::Context& context);

/// The C files that a compile_commands.json names, sorted; relative to the
/// current directory if they lie below it. Throws InputError.
std::vector<std::string> files_of(const std::string& build_directory);

}  // namespace agon::frontend
