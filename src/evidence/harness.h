// SPDX-License-Identifier: Apache-2.0
/// A C file that makes a compiled program do what was recorded.
#pragma once

#include <string>
#include <vector>

#include "evidence/script.h"

namespace agon::evidence {

struct HarnessQuestion {
  const ir::Program& program;   ///< As it was run; see verify/record.h.
  const ir::Program& original;  ///< With the initial values that C gives.
  const Recording& recording;
  const Surroundings& around;
  std::string target;                  ///< The function to call.
  std::vector<std::string> files;      ///< C.
  std::vector<std::string> arguments;  ///< For the compiler.
  bool overflow_is_error = false;
};

struct Harness {
  std::string text;  ///< The first line is a comment with the command.
  /// What the compiled program may do otherwise, for people.
  std::vector<std::string> doubts;
  std::string problem;  ///< If there is no text: why.
};

/// `path` is the name of the file, for the command.
Harness make_harness(const HarnessQuestion& question, const std::string& path);

}  // namespace agon::evidence
