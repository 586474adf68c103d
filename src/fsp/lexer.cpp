// SPDX-License-Identifier: Apache-2.0
#include "fsp/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace agon::fsp {
namespace {

using support::Source;

/// Larger texts are not written by hand, and offsets have to fit 32 bits.
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

using Kind = TokenKind;
using Word = std::pair<std::string_view, Kind>;

constexpr std::array kKeywords = {
    Word{"const", Kind::Const},
    Word{"range", Kind::Range},
    Word{"set", Kind::Set},
    Word{"if", Kind::If},
    Word{"then", Kind::Then},
    Word{"else", Kind::Else},
    Word{"forall", Kind::Forall},
    Word{"when", Kind::When},
    Word{"property", Kind::Property},
    Word{"progress", Kind::Progress},
    Word{"menu", Kind::Menu},
    Word{"deterministic", Kind::Deterministic},
    Word{"minimal", Kind::Minimal},
    Word{"compose", Kind::Compose},
    Word{"import", Kind::Import},
    Word{"include", Kind::Unsupported},
    Word{"animation", Kind::Unsupported},
    Word{"actions", Kind::Unsupported},
    Word{"controls", Kind::Unsupported},
    Word{"target", Kind::Unsupported},
    Word{"assert", Kind::Unsupported},
    Word{"constraint", Kind::Unsupported},
    Word{"fluent", Kind::Unsupported},
    Word{"initially", Kind::Unsupported},
    Word{"exists", Kind::Unsupported},
    Word{"rigid", Kind::Unsupported},
};

/// Longer ones first, so that the first match is the right one.
constexpr std::array kPunctuation = {
    Word{"->", Kind::Arrow},      Word{"||", Kind::BarBar},
    Word{"::", Kind::ColonColon}, Word{"<<", Kind::Less2},
    Word{">>", Kind::Greater2},   Word{"..", Kind::DotDot},
    Word{"==", Kind::EqualEqual}, Word{"!=", Kind::NotEqual},
    Word{"<=", Kind::LessEqual},  Word{">=", Kind::GreaterEqual},
    Word{"&&", Kind::AndAnd},     Word{"|", Kind::Bar},
    Word{"/", Kind::Slash},       Word{"\\", Kind::Backslash},
    Word{"@", Kind::At},          Word{":", Kind::Colon},
    Word{".", Kind::Dot},         Word{",", Kind::Comma},
    Word{";", Kind::Semicolon},   Word{"+", Kind::Plus},
    Word{"-", Kind::Minus},       Word{"*", Kind::Star},
    Word{"%", Kind::Percent},     Word{"=", Kind::Equal},
    Word{"(", Kind::Open},        Word{")", Kind::Close},
    Word{"[", Kind::OpenSquare},  Word{"]", Kind::CloseSquare},
    Word{"{", Kind::OpenBrace},   Word{"}", Kind::CloseBrace},
    Word{"#", Kind::Hash},        Word{"'", Kind::Quote},
    Word{"<", Kind::Less},        Word{">", Kind::Greater},
    Word{"!", Kind::Not},         Word{"&", Kind::And},
    Word{"^", Kind::Caret},
};

// The functions of <cctype> depend on the locale.
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_upper(c) || is_lower(c) || is_digit(c); }
bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

class Lexer {
 public:
  explicit Lexer(const Source& source)
      : source_(source), text_(source.text()) {}

  std::vector<Token> run() {
    if (text_.size() > kMaxBytes) {
      source_.fail(0, fmt::format("the file is larger than {} MB, the most "
                                  "that an FSP file may have",
                                  kMaxBytes >> 20));
    }
    while (skip_space(), at_ < text_.size()) tokens_.push_back(next());
    tokens_.push_back(token(Kind::End, at_, at_));
    return std::move(tokens_);
  }

 private:
  void skip_space() {
    while (at_ < text_.size()) {
      if (is_space(text_[at_])) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          source_.fail(at_, "this comment is never closed");
        }
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  Token next() {
    const char c = text_[at_];
    if (is_upper(c) || is_lower(c)) return identifier();
    if (is_digit(c)) return number();
    if (c == '"') return string();
    for (const auto& [spelling, kind] : kPunctuation) {
      if (text_.substr(at_, spelling.size()) != spelling) continue;
      at_ += spelling.size();
      return token(kind, at_ - spelling.size(), at_);
    }
    source_.fail(at_, "this character has no meaning in FSP");
  }

  Token identifier() {
    const std::size_t start = skip_word();
    Token result =
        token(is_upper(text_[start]) ? Kind::Upper : Kind::Lower, start, at_);
    for (const auto& [spelling, kind] : kKeywords) {
      if (result.text == spelling) result.kind = kind;
    }
    return result;
  }

  /// Like Java, and LTSA with it, a leading 0 makes a number octal.
  Token number() {
    const std::size_t start = skip_word();
    Token result = token(Kind::Number, start, at_);
    std::string_view digits = result.text;
    int base = 10;
    if (digits.starts_with("0x") || digits.starts_with("0X")) {
      digits.remove_prefix(2);
      base = 16;
    } else if (digits.size() > 1 && digits[0] == '0') {
      digits.remove_prefix(1);
      base = 8;
    }
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] =
        std::from_chars(digits.data(), end, result.value, base);
    if (error == std::errc::result_out_of_range) {
      source_.fail(start, "this number is too large");
    }
    if (error != std::errc() || stop != end) {
      source_.fail(start, fmt::format("'{}' is not a{} number", result.text,
                                      base == 8    ? "n octal"
                                      : base == 16 ? " hexadecimal"
                                                   : ""));
    }
    return result;
  }

  Token string() {
    const std::size_t open = at_;
    const std::size_t close = text_.find_first_of("\"\n", open + 1);
    if (close == std::string_view::npos || text_[close] != '"') {
      source_.fail(open, "this string is never closed on its line");
    }
    at_ = close + 1;
    Token result = token(Kind::String, open, at_);
    result.text = text_.substr(open + 1, close - open - 1);
    return result;
  }

  std::size_t skip_word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return start;
  }

  Token token(Kind kind, std::size_t begin, std::size_t end) const {
    return {kind, static_cast<std::uint32_t>(begin),
            text_.substr(begin, end - begin), 0};
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenise(const Source& source) {
  return Lexer(source).run();
}

}  // namespace agon::fsp
