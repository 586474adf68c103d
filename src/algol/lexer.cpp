// SPDX-License-Identifier: Apache-2.0
#include "algol/lexer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>

namespace agon::algol {
namespace {

struct Spelling {
  std::string_view written;
  std::string_view meant;
};

/// Longer ones first, so that the first match is the right one.
constexpr std::array kSigns = {
    Spelling{"\u22a2", "|-"}, Spelling{"\u2192", "->"},
    Spelling{"\u03bb", "\\"}, Spelling{"|-", "|-"},
    Spelling{"->", "->"},     Spelling{":=", ":="},
    Spelling{"<=", "<="},     Spelling{">=", ">="},
    Spelling{"<>", "!="},     Spelling{"!=", "!="},
    Spelling{"==", "="},      Spelling{"||", "|"},
    Spelling{"&&", "&"},      Spelling{"|", "|"},
    Spelling{"&", "&"},       Spelling{"!", "!"},
    Spelling{"<", "<"},       Spelling{">", ">"},
    Spelling{"=", "="},       Spelling{"+", "+"},
    Spelling{"-", "-"},       Spelling{"*", "*"},
    Spelling{"/", "/"},       Spelling{"%", "%"},
    Spelling{"(", "("},       Spelling{")", ")"},
    Spelling{"[", "["},       Spelling{"]", "]"},
    Spelling{",", ","},       Spelling{":", ":"},
    Spelling{";", ";"},       Spelling{".", "."},
    Spelling{"\\", "\\"},
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Lexer {
 public:
  explicit Lexer(const support::Source& source)
      : source_(source), text_(source.text()) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (skip(); at_ < text_.size(); skip()) tokens.push_back(next());
    tokens.push_back({Token::Kind::End, text_.size(), {}, 0});
    return tokens;
  }

 private:
  void skip() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::size_t last = end;
    while (last > at_ && is_space(text_[last - 1])) --last;
    at_ = last >= at_ + 4 && text_.substr(last - 2, 2) == "|-" ? last - 2 : end;
  }

  Token next() {
    if (is_digit(text_[at_])) return number();
    if (is_letter(text_[at_])) return word();
    for (const Spelling& sign : kSigns) {
      if (!text_.substr(at_).starts_with(sign.written)) continue;
      const Token token{Token::Kind::Sign, at_, sign.meant, 0};
      at_ += sign.written.size();
      return token;
    }
    const auto byte = static_cast<unsigned char>(text_[at_]);
    source_.fail(at_, byte >= 0x20 && byte < 0x7f
                          ? fmt::format("'{}' has no meaning here", text_[at_])
                          : std::string("this character has no meaning here"));
  }

  Token word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) ||
                                  is_digit(text_[at_]) || text_[at_] == '\'')) {
      ++at_;
    }
    return {Token::Kind::Word, start, text_.substr(start, at_ - start), 0};
  }

  Token number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ < text_.size() && is_letter(text_[at_])) {
      source_.fail(at_, "a number ends where a letter follows");
    }
    Token token{Token::Kind::Number, start, text_.substr(start, at_ - start),
                0};
    const auto [end, error] = std::from_chars(
        token.text.data(), token.text.data() + token.text.size(), token.value);
    if (error != std::errc()) source_.fail(start, "this number is too large");
    return token;
  }

  const support::Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokenize(const support::Source& source) {
  return Lexer(source).run();
}

}  // namespace agon::algol
