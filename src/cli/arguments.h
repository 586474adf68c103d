// SPDX-License-Identifier: Apache-2.0
/// From the words of the command line to a command with its options.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>

#include "cli/session.h"
#include "cli/terminal.h"
#include "evidence/insight.h"
#include "support/context.h"

namespace agon::cli {

/// The options that every command has.
struct CommonOptions {
  support::Limits limits;
  std::uint64_t seed = 0;
  std::string json;  ///< A file, or `-` for stdout; empty for none.
  std::string html;  ///< Files; empty for none.
  std::string sarif;
  std::string junit;
  std::string cache;     ///< A directory; empty for none.
  std::string decisive;  ///< The options that answers can depend on, as text.
  evidence::Detail detail = evidence::Detail::None;  ///< What is told of them.
  bool quiet = false;                                ///< Verdicts only.
  Colour colour = Colour::Auto;
  bool statistics = false;
};

/// What a command does.
using Run = std::function<ExitCode(Session&)>;

/// A command that is ready to run.
struct Invocation {
  std::string command;  ///< Such as `lts compare`.
  CommonOptions common;
  Run run;
};

/// There is nothing to run: help was asked for, or the usage is wrong.
struct Explanation {
  ExitCode code = ExitCode::Holds;
  std::string text;  ///< For stdout if `code` is Holds, otherwise for stderr.
};

/// Parses the words after the program's name.
std::variant<Invocation, Explanation> parse_arguments(
    std::span<const std::string> words);

}  // namespace agon::cli
