// SPDX-License-Identifier: Apache-2.0
/// Systems from the files that the user names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/session.h"
#include "lts/checks.h"
#include "lts/lts.h"
#include "lts/successors.h"

namespace agon::cli {

/// A file, and which of its processes is meant; none means the default one.
struct Input {
  std::string path;
  std::string process;

  /// As the user wrote it: `FILE` or `FILE:PROCESS`.
  std::string name() const {
    return path + (process.empty() ? "" : ":") + process;
  }
};

/// Reads `FILE` or `FILE.lts:PROCESS`. The process may come from `--process`
/// instead; if both are given they have to agree.
Input parse_input(const std::string& argument, const std::string& process = "");

/// A system that is expanded on demand, if its file allows.
struct System {
  std::string name;  ///< For messages and reports: `FILE` or `FILE:PROCESS`.
  std::unique_ptr<lts::Successors> successors;
  std::vector<lts::ProgressTest> progress;  ///< What the file defines.
  std::shared_ptr<const lts::Lts> built;    ///< Set by `build`.
};

/// Loads by extension: `.aut`, or `.lts` for FSP. Throws InputError.
System load(const Input& input, Session& session);

/// The system as a whole, built if need be; it lives as long as `system`.
const lts::Lts& build(System& system, support::Context& context);

}  // namespace agon::cli
