// SPDX-License-Identifier: Apache-2.0
/// `agon open`: can some environment make an open term misbehave?
#pragma once

#include <string>
#include <vector>

#include "algol/search.h"
#include "cli/session.h"

namespace agon::cli {

struct OpenOptions {
  std::string file;
  std::vector<std::string> definitions;  ///< `NAME=NUMBER`.
  std::vector<std::string> never;        ///< Moves that must not happen.
  std::vector<std::string> find;         ///< Moves that should be possible.
  bool precise = false;
  bool eager = false;
  algol::Order order = algol::Order::Program;
  std::string output;  ///< A file for the model; empty: none.
  bool full = false;   ///< Print every move of a play, repeated ones too.
};
ExitCode run_open(const OpenOptions& options, Session& session);

}  // namespace agon::cli
