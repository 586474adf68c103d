// SPDX-License-Identifier: Apache-2.0
/// The words of FSP.
#pragma once

#include <cstdint>
#include <string_view>

namespace agon::fsp {

enum class TokenKind : std::uint8_t {
  End,
  Upper,   ///< An identifier of a process, constant, range, set, parameter.
  Lower,   ///< An identifier of an action or a variable.
  Number,  ///< Decimal, octal with a leading 0, or hexadecimal with 0x.
  String,
  // Keywords.
  Const,
  Range,
  Set,
  If,
  Then,
  Else,
  Forall,
  When,
  Property,
  Progress,
  Menu,
  Deterministic,
  Minimal,
  Compose,
  Import,
  Unsupported,  ///< A keyword of a part of LTSA's language that we leave out.
  // Punctuation.
  Arrow,
  Bar,
  BarBar,
  Slash,
  Backslash,
  At,
  Colon,
  ColonColon,
  Less2,
  Greater2,
  DotDot,
  Dot,
  Comma,
  Semicolon,
  Plus,
  Minus,
  Star,
  Percent,
  Equal,
  Open,
  Close,
  OpenSquare,
  CloseSquare,
  OpenBrace,
  CloseBrace,
  Hash,
  Quote,
  EqualEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  AndAnd,
  Not,
  And,
  Caret,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t offset = 0;
  std::string_view text;   ///< Without the quotes for a String.
  std::int64_t value = 0;  ///< Of a Number.
};

}  // namespace agon::fsp
