// SPDX-License-Identifier: Apache-2.0
/// Reads the tokens of the text form of programs. Internal to the folder.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "support/source.h"

namespace agon::ir {

/// A place in the text that moves on. Every failure points to a token.
class TextCursor {
 public:
  explicit TextCursor(const support::Source& source)
      : source_(source), text_(source.text()) {}

  std::size_t offset = 0;

  const support::Source& source() const { return source_; }

  [[noreturn]] void fail(const std::string& message) const {
    source_.fail(token_, message);
  }

  bool at_end() const { return offset == text_.size(); }
  bool at_end_of_line() {
    skip_spaces();
    return at_end() || text_[offset] == '\n';
  }
  void expect_end_of_line() {
    if (!at_end_of_line()) fail("expected the end of the line");
    if (!at_end()) ++offset;
  }

  /// The next token if it is a word; otherwise nothing.
  std::string_view peek_word() {
    skip_spaces();
    std::size_t end = offset;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return text_.substr(offset, end - offset);
  }
  std::string_view word() {
    const std::string_view result = peek_word();
    offset += result.size();
    return result;
  }
  bool accept(std::string_view expected) {
    if (peek_word() != expected) return false;
    offset += expected.size();
    return true;
  }
  void expect(std::string_view expected) {
    if (!accept(expected)) fail(fmt::format("expected '{}'", expected));
  }
  bool accept(char c) {
    skip_spaces();
    if (at_end() || text_[offset] != c) return false;
    ++offset;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }

  /// One of the words of an enumeration.
  template <class Enum>
  Enum choice(std::span<const std::string_view> words, std::string_view what) {
    const std::string_view given = word();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == given) return static_cast<Enum>(i);
    }
    fail(fmt::format("expected {}", what));
  }

  template <class Number>
  Number number() {
    skip_spaces();
    const bool is_negative = std::numeric_limits<Number>::is_signed &&
                             !at_end() && text_[offset] == '-';
    if (is_negative) ++offset;
    if (at_end() || !is_digit(text_[offset])) fail("expected a number");
    const auto limit =
        static_cast<std::uint64_t>(std::numeric_limits<Number>::max()) +
        (is_negative ? 1 : 0);
    std::uint64_t value = 0;
    while (!at_end() && is_digit(text_[offset])) {
      const auto digit = static_cast<std::uint64_t>(text_[offset] - '0');
      if (value > (limit - digit) / 10) fail("this number is too large");
      value = 10 * value + digit;
      ++offset;
    }
    return static_cast<Number>(is_negative ? 0 - value : value);
  }

  /// A type is `t` and its number.
  bool at_type() {
    const std::string_view next = peek_word();
    return next.size() > 1 && next[0] == 't' && is_digit(next[1]);
  }
  /// Leaves the number to be read.
  bool accept_type() {
    if (!at_type()) return false;
    ++offset;
    return true;
  }

  bool at_string() {
    skip_spaces();
    return !at_end() && text_[offset] == '"';
  }
  std::string string() {
    if (!at_string()) fail("expected a name in quotes");
    ++offset;
    std::string result;
    while (!at_end() && text_[offset] != '"' && text_[offset] != '\n') {
      result += text_[offset] == '\\' ? escaped() : text_[offset++];
    }
    if (at_end() || text_[offset] != '"') fail("this name has no end");
    ++offset;
    return result;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_' || c == '-';
  }

  char escaped() {
    ++offset;
    if (at_end()) fail("this name has no end");
    const char c = text_[offset++];
    if (c != 'x') return c;
    unsigned value = 0;
    for (int i = 0; i < 2; ++i) {
      const std::string_view digits = "0123456789abcdef";
      const std::size_t digit =
          at_end() ? std::string_view::npos : digits.find(text_[offset]);
      if (digit == std::string_view::npos) fail("bad escape in this name");
      value = 16 * value + static_cast<unsigned>(digit);
      ++offset;
    }
    return static_cast<char>(value);
  }

  void skip_spaces() {
    while (!at_end() && (text_[offset] == ' ' || text_[offset] == '\r')) {
      ++offset;
    }
    token_ = offset;
  }

  const support::Source& source_;
  std::string_view text_;
  std::size_t token_ = 0;  // Where the last token started.
};

}  // namespace agon::ir
