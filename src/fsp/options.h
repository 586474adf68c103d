// SPDX-License-Identifier: Apache-2.0
/// Variations of the language that a caller may choose.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fsp/label_meanings.h"

namespace agon::fsp {

/// The name of the process that stands at a place without one.
inline std::string in_place_name(std::uint32_t offset) {
  return "IN_PLACE_" + std::to_string(offset);
}
inline bool is_in_place_name(std::string_view name) {
  return name.starts_with("IN_PLACE_");
}

struct ParseOptions {
  /// Whether `tau` may be written as an action; it is the silent one then.
  bool allow_tau = false;
  /// Whether `import` may open files. Off for text from untrusted sources.
  bool allow_import = true;
  /// Whether a process in parentheses may stand between the definitions, with
  /// an alphabet extension and without a name. It is called in_place_name.
  bool allow_in_place = false;
  /// Whether there may be progress tests.
  bool allow_progress = true;
  /// Whether `return[lo..hi]` is the one label `return.lo..hi` unless it binds
  /// a variable.
  bool whole_return_ranges = false;
  /// Null: each label is one action.
  std::shared_ptr<const LabelMeanings> meanings;
};

}  // namespace agon::fsp
