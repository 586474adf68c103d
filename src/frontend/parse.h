// SPDX-License-Identifier: Apache-2.0
/// Runs Clang on the files of a program.
#pragma once

#include <clang/Frontend/ASTUnit.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace agon::frontend {

struct Parsed {
  /// What was parsed instead of the file, if anything. Clang keeps pointers
  /// into it, so it has to outlive the tree.
  std::unique_ptr<const std::string> text;
  std::unique_ptr<clang::ASTUnit> tree;
  /// Where the compiler was run, which names of files are relative to.
  std::string directory;
};

/// One syntax tree per file. Throws InputError with Clang's first message if a
/// file has errors.
std::vector<Parsed> parse(std::span<const std::string> files,
                          const Options& options, support::Context& context);

/// The line to show for a message: that of `buffer`, or for a fragment the one
/// that its `#line` directive refers to. `name` is as Clang has it.
std::string shown_line(const std::string& name, unsigned line,
                       std::string buffer);

/// How a file that Clang names is called from where Agon was started.
std::string shown_path(const std::string& name, const std::string& directory);

}  // namespace agon::frontend
