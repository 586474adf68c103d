// SPDX-License-Identifier: Apache-2.0
/// C that is parsed together with a file of the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agon::ir {

/// The routine whose result chooses what a process that stands for a routine
/// performs next. Its environment takes part in the choice if all ways start
/// with an action.
inline constexpr std::string_view kProcessChoice = "__agon_any_choice";

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
  /// Parameters without a name here have the one that they have in C.
  bool keeps_names = false;
  /// Calls of the routine do what the text says, and nothing else.
  bool is_behaviour = false;
  /// Leave the text out unless the routine returns something, or nothing.
  enum class Only : std::uint8_t { All, Values, Nothing };
  Only only = Only::All;

  static constexpr std::string_view kSignature = "__agon_signature";
  /// This word, wherever it occurs, becomes the names of the parameters.
  static constexpr std::string_view kArguments = "__agon_arguments";
  /// What precedes names of files in `#line` directives of the text. They are
  /// relative to where Agon was started.
  static constexpr std::string_view kMark = "<agon>";
};

}  // namespace agon::ir
