// SPDX-License-Identifier: Apache-2.0
/// The words and signs of an open term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "support/source.h"

namespace agon::algol {

struct Token {
  enum class Kind : std::uint8_t { Word, Number, Sign, End };

  Kind kind = Kind::End;
  std::size_t offset = 0;
  std::string_view text;   // Of the source; signs have their first spelling.
  std::int64_t value = 0;  // Of a number.

  bool is(std::string_view spelling) const {
    return kind != Kind::End && kind != Kind::Number && text == spelling;
  }
};

/// The tokens of a text and one for its end. Comments start with `//` and go on
/// to the end of the line, less a `|-` at this end.
std::vector<Token> tokenize(const support::Source& source);

}  // namespace agon::algol
