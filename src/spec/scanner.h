// SPDX-License-Identifier: Apache-2.0
/// Words, parentheses and comments of a text that is C in some places and FSP
/// in others.
#pragma once

#include <string>
#include <string_view>

#include "spec/ast.h"
#include "support/source.h"

namespace agon::spec {

bool is_word_character(char c);
bool is_digit(char c);
bool is_upper(char c);

/// Leading and trailing space removed.
CText trimmed(CText text);

class Scanner {
 public:
  /// `source` has to outlive the scanner.
  explicit Scanner(const support::Source& source, std::size_t at = 0)
      : source_(source), text_(source.text()), at_(at) {}

  const support::Source& source() const { return source_; }
  std::size_t at() const { return at_; }
  Offset offset() const { return static_cast<Offset>(at_); }
  void go_to(std::size_t at) { at_ = at; }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  std::string_view rest() const { return text_.substr(at_); }

  void skip_space();  ///< Comments too.
  /// The word that starts here, empty if none does; it is not taken.
  std::string_view word() const;
  std::string_view take_word();
  /// Steps over `spelling`, and the space behind it, if it is here. A word has
  /// to end where it ends.
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling, const std::string& after);
  std::string identifier(const std::string& what);
  [[noreturn]] void expected(const std::string& what) const;
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    source_.fail(offset, message);
  }

  /// One lexical unit of C or FSP: a word, literal, comment or character. An
  /// unclosed one fails.
  void step();
  /// From an opening bracket, which is here, to behind the one that closes it;
  /// the text between them.
  enum class Language { C, Fsp };
  CText bracketed(Language language = Language::C);
  /// The text up to a character outside of brackets, which is not taken. Fails
  /// at the end of the text.
  CText until(std::string_view any_of, const std::string& what);

 private:
  void literal(char quote);

  const support::Source& source_;
  std::string_view text_;
  std::size_t at_;
};

}  // namespace agon::spec
