// SPDX-License-Identifier: Apache-2.0
/// The C files of a project, and which of them a question is about.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/c_input.h"
#include "frontend/symbols.h"
#include "support/context.h"

namespace agon::cli {

/// Chooses files as a linker takes members of a library: those that define
/// what is asked for, those that define what they need, and so on.
class Project {
 public:
  /// All C files of the compile_commands.json. Throws InputError.
  Project(const CInput& input, support::Context& context);

  /// The files for these routines. What `described` contains is not looked for,
  /// and neither is what several files define. Throws InputError if a routine
  /// is defined nowhere or in several files.
  std::vector<std::string> files_for(const std::vector<std::string>& routines,
                                     const std::set<std::string>& described);

 private:
  const frontend::Symbols& symbols(const std::string& file);
  bool mentions(const std::string& file, const std::string& name);
  std::vector<std::string> definitions(const std::string& name);
  std::string definition(const std::string& routine);

  const CInput& input_;
  support::Context& context_;
  std::vector<std::string> files_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, frontend::Symbols> symbols_;
  std::vector<std::string> broken_;  // Why files could not be read.
};

}  // namespace agon::cli
