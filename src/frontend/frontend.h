// SPDX-License-Identifier: Apache-2.0
/// From C files to one program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/fragment.h"
#include "ir/program.h"
#include "ir/unreached.h"
#include "support/context.h"

namespace agon::frontend {

struct Options {
  /// Without one, what the compile command says, or else LP64.
  std::optional<ir::DataModel> model;
  /// Directory of a compile_commands.json; empty: none.
  std::string build_directory;
  /// Signed arithmetic that overflows calls `__agon_overflow`, which does not
  /// return; otherwise it wraps.
  bool overflow_is_error = false;
  /// What is volatile has any value at each read, as the registers of a device;
  /// otherwise it is ordinary memory.
  bool volatile_is_input = false;
  /// `malloc` and the like may return null.
  bool malloc_may_fail = false;
  /// Refuse sums and products whose constants cannot be kept apart from those
  /// that wrap, so that the program can be read over integers without bounds.
  bool constants_must_not_wrap = false;
  /// Further arguments for the compiler: -I, -D, -std, -include, …
  std::vector<std::string> arguments;
  /// C that is read together with the files. The routines that it belongs to
  /// have no meaning of their own, not even if the language gives them one.
  std::vector<ir::Fragment> fragments;
};

struct Lowered {
  ir::Program program;
  std::vector<ir::UnreachedCall> unreached;
};

/// Parses the files, links them, and lowers every function that can be used.
/// Throws InputError for what is not C, for what Agon does not support, and for
/// symbols that are defined twice.
Lowered lower_all(std::span<const std::string> files, const Options& options,
                  support::Context& context);

/// Only the program.
inline ir::Program lower(std::span<const std::string> files,
                         const Options& options, support::Context& context) {
  return lower_all(files, options, context).program;
}

}  // namespace agon::frontend
