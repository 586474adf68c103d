// SPDX-License-Identifier: Apache-2.0
/// Variations of the language that a caller may choose.
#pragma once

namespace agon::fsp {

struct ParseOptions {
  /// Whether `tau` may be written as an action; it is the silent one then.
  bool allow_tau = false;
  /// Whether `import` may open files. Off for text from untrusted sources.
  bool allow_import = true;
};

}  // namespace agon::fsp
