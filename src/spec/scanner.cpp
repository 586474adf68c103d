// SPDX-License-Identifier: Apache-2.0
#include "spec/scanner.h"

#include <fmt/format.h>

#include <algorithm>

namespace agon::spec {
namespace {

constexpr std::string_view kSpace = " \n\t\r\f\v";

char closing(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    default:
      return '\0';
  }
}

}  // namespace

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || is_upper(c) || is_digit(c) || c == '_';
}

CText trimmed(CText text) {
  const std::size_t begin = text.text.find_first_not_of(kSpace);
  if (begin == std::string::npos) return {text.offset, ""};
  const std::size_t end = text.text.find_last_not_of(kSpace);
  return {text.offset + static_cast<Offset>(begin),
          text.text.substr(begin, end - begin + 1)};
}

void Scanner::skip_space() {
  while (!at_end()) {
    if (kSpace.find(text_[at_]) != std::string_view::npos) {
      ++at_;
    } else if (rest().starts_with("//") || rest().starts_with("/*")) {
      step();
    } else {
      return;
    }
  }
}

std::string_view Scanner::word() const {
  std::size_t end = at_;
  while (end < text_.size() && is_word_character(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view Scanner::take_word() {
  const std::string_view result = word();
  at_ += result.size();
  return result;
}

bool Scanner::accept(std::string_view spelling) {
  if (is_word_character(spelling.back()) ? word() != spelling
                                         : !rest().starts_with(spelling)) {
    return false;
  }
  at_ += spelling.size();
  skip_space();
  return true;
}

void Scanner::expect(std::string_view spelling, const std::string& after) {
  if (!accept(spelling)) expected(fmt::format("'{}' {}", spelling, after));
}

std::string Scanner::identifier(const std::string& what) {
  if (word().empty() || is_digit(peek())) expected(what);
  std::string result(take_word());
  skip_space();
  return result;
}

void Scanner::expected(const std::string& what) const {
  std::string found = "the end of the file";
  if (!word().empty()) {
    found = fmt::format("'{}'", word());
  } else if (!at_end()) {
    found = fmt::format("'{}'", peek());
  }
  fail(at_, fmt::format("expected {}, but found {}", what, found));
}

void Scanner::literal(char quote) {
  const std::size_t open = at_++;
  while (!at_end() && peek() != quote && peek() != '\n') {
    at_ += peek() == '\\' ? 2 : 1;
  }
  if (at_end() || peek() != quote) {
    fail(open, "this literal is never closed on its line");
  }
  ++at_;
}

void Scanner::step() {
  if (rest().starts_with("//")) {
    at_ = std::min(text_.find('\n', at_), text_.size());
  } else if (rest().starts_with("/*")) {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
      fail(at_, "this comment is never closed");
    }
    at_ = end + 2;
  } else if (!word().empty()) {
    take_word();
  } else if (peek() == '"') {
    literal('"');
  } else {
    ++at_;
  }
}

CText Scanner::bracketed(Language language) {
  const std::size_t open = at_;
  std::string stack;
  do {
    if (at_end()) {
      fail(open, fmt::format("this '{}' is never closed", text_[open]));
    }
    const char c = peek();
    if (closing(c) != '\0') {
      stack += closing(c);
    } else if (c == ')' || c == ']' || c == '}') {
      if (c != stack.back()) {
        fail(at_,
             fmt::format("expected '{}', but found '{}'", stack.back(), c));
      }
      stack.pop_back();
    }
    const bool is_return = language == Language::Fsp && word() == "return";
    if (c == '\'' && language == Language::C) {
      literal('\'');
    } else {
      step();
    }
    if (!is_return) continue;
    skip_space();
    if (peek() == '{') bracketed();
  } while (!stack.empty());
  return {static_cast<Offset>(open + 1),
          std::string(text_.substr(open + 1, at_ - open - 2))};
}

CText Scanner::until(std::string_view any_of, const std::string& what) {
  const std::size_t begin = at_;
  while (!at_end() && any_of.find(peek()) == std::string_view::npos) {
    if (closing(peek()) != '\0') {
      bracketed();
    } else {
      step();
    }
  }
  if (at_end()) expected(what);
  return {static_cast<Offset>(begin),
          std::string(text_.substr(begin, at_ - begin))};
}

}  // namespace agon::spec
