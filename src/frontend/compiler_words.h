// SPDX-License-Identifier: Apache-2.0
/// Arguments for the compiler among the words of a command.
///
/// They are spelt as for clang, `-std=gnu89` and `-Idir` included, which is
/// no language that an option parser knows, and their order matters.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace agon::frontend {

struct CompilerWords {
  std::vector<std::string> rest;       ///< For the option parser.
  std::vector<std::string> arguments;  ///< For the compiler, in their order.
};

/// Takes out `-I -D -U -include -isystem -iquote -std`, `--extra-arg`, and
/// whatever follows `--`. Throws InputError where a value is missing.
CompilerWords take_compiler_words(std::span<const std::string> words);

/// How the help describes them.
extern const char* const kCompilerHelp;
/// The same in two lines.
extern const char* const kCompilerSummary;

}  // namespace agon::frontend
