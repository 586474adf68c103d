// SPDX-License-Identifier: Apache-2.0
/// C that is parsed together with a file of the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::ir {

/// Text that is read as if it stood at the end of the file that defines, or
/// else declares or calls, a routine. It sees all that the file sees. If no
/// file knows the routine, the text is left out.
struct Fragment {
  std::string routine;
  /// The word kSignature becomes the parameters of the routine in parentheses,
  /// after `result` if `with_result` and the routine returns something.
  std::string text;
  std::vector<std::string> parameters;  ///< Names for them; may be too few.
  bool with_result = false;

  static constexpr std::string_view kSignature = "__agon_signature";
  /// What precedes names of files in `#line` directives of the text. They are
  /// relative to where Agon was started.
  static constexpr std::string_view kMark = "<agon>";
};

}  // namespace agon::ir
