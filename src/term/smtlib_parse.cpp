// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/source.h"
#include "term/smtlib.h"
#include "term/smtlib_names.h"

namespace agon::term {
namespace {

/// A parenthesis, a numeral, a literal or a symbol (without its quotes).
struct Token {
  std::string_view text;
  std::size_t offset = 0;
  bool quoted = false;

  bool is(std::string_view other) const { return !quoted && text == other; }
  bool is_number() const {
    return !quoted && !text.empty() && text[0] >= '0' && text[0] <= '9';
  }
};

class Lexer {
 public:
  Lexer(const support::Source& source, std::size_t offset)
      : source_(source), offset_(offset) {}

  std::size_t offset() const { return offset_; }

  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    source_.fail(offset, message);
  }

  Token next() {
    skip_space();
    const std::string_view text = source_.text();
    if (offset_ >= text.size()) fail(text.size(), "the text ends here");
    const std::size_t begin = offset_;
    const char c = text[begin];
    if (c == '(' || c == ')') {
      ++offset_;
      return {text.substr(begin, 1), begin};
    }
    if (c == '|') {
      const std::size_t end = text.find('|', begin + 1);
      if (end == text.npos) fail(begin, "this quote is never closed");
      offset_ = end + 1;
      return {text.substr(begin + 1, end - begin - 1), begin, true};
    }
    offset_ = std::min(text.find_first_of(" \t\r\n();|\"", begin), text.size());
    if (offset_ == begin) fail(begin, "a term cannot have this character");
    return {text.substr(begin, offset_ - begin), begin};
  }

  Token peek() {
    const std::size_t begin = offset_;
    const Token token = next();
    offset_ = begin;
    return token;
  }

  void expect(std::string_view text) {
    const Token token = next();
    if (token.is(text)) return;
    fail(token.offset, "expected '" + std::string(text) + "'");
  }

  std::string symbol() {
    const Token token = next();
    if (token.is("(") || token.is(")") || token.is_number()) {
      fail(token.offset, "expected a symbol");
    }
    return std::string(token.text);
  }

  unsigned number() {
    const Token token = next();
    if (!token.is_number() || token.text.size() > 6 ||
        !std::ranges::all_of(token.text,
                             [](char c) { return c >= '0' && c <= '9'; })) {
      fail(token.offset, "expected a small number");
    }
    return static_cast<unsigned>(std::stoul(std::string(token.text)));
  }

  unsigned width() {
    const std::size_t begin = peek().offset;
    const unsigned result = number();
    if (result >= 1 && result <= Sort::kMaxWidth) return result;
    fail(begin, "widths are from 1 to 128");
  }

 private:
  void skip_space() {
    const std::string_view text = source_.text();
    while (offset_ < text.size()) {
      const char c = text[offset_];
      if (c == ';') {
        offset_ = std::min(text.find('\n', offset_), text.size());
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++offset_;
      } else {
        return;
      }
    }
  }

  const support::Source& source_;
  std::size_t offset_;
};

Sort read_sort(Lexer& lexer);

/// The index or element sort of an array.
Sort read_part(Lexer& lexer) {
  const std::size_t begin = lexer.peek().offset;
  const Sort sort = lexer.peek().is("Int") || lexer.peek().is("(")
                        ? read_sort(lexer)
                        : Sort::boolean();
  if (sort.is_bits() || sort.is_int()) return sort;
  lexer.fail(begin, "indices and elements are bit-vectors or integers");
}

Sort read_sort(Lexer& lexer) {
  const Token token = lexer.next();
  if (token.is("Bool")) return Sort::boolean();
  if (token.is("Int")) return Sort::integer();
  if (!token.is("(")) lexer.fail(token.offset, "expected a sort");
  const Token head = lexer.next();
  Sort sort;
  if (head.is("_")) {
    lexer.expect("BitVec");
    sort = Sort::bits(lexer.width());
  } else if (head.is("Array")) {
    const Sort index = read_part(lexer);
    sort = Sort::array(index.width, read_part(lexer).width);
  } else {
    lexer.fail(head.offset, "expected '_' or 'Array'");
  }
  lexer.expect(")");
  return sort;
}

// Terms nest deeper than the stack of the machine, so the parser keeps its own:
// applications that wait for operands and lets that wait for a value.
class Parser {
 public:
  Parser(Pool& pool, const support::Source& source, std::size_t offset)
      : pool_(pool), source_(source), lexer_(source, offset) {}

  Term run() {
    for (;;) {
      Term value = step();
      while (value) {
        if (frames_.empty()) return value;
        value = give(value);
      }
    }
  }

  std::size_t offset() const { return lexer_.offset(); }

 private:
  enum class Wait { Operand, Binding, Body };
  struct Frame {
    Wait wait = Wait::Operand;
    Head head;
    std::vector<Term> operands;
    std::vector<std::string> names;  ///< Of a let.
  };

  /// Reads up to the next complete term; none if it only got deeper.
  Term step() {
    const Token token = lexer_.next();
    if (token.is("(")) return open();
    if (!token.is(")")) return atom(token);
    if (frames_.empty() || frames_.back().wait != Wait::Operand) {
      lexer_.fail(token.offset, "expected a term");
    }
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    return apply_operator(pool_, source_, frame.head, frame.operands);
  }

  /// Hands a value to whoever waits for it; returns the value of a let.
  Term give(Term value) {
    Frame& frame = frames_.back();
    switch (frame.wait) {
      case Wait::Operand:
        frame.operands.push_back(value);
        return {};
      case Wait::Binding:
        frame.operands.push_back(value);
        lexer_.expect(")");
        next_binding(frame);
        return {};
      default:
        lexer_.expect(")");
        for (const std::string& name : frame.names) bound_[name].pop_back();
        frames_.pop_back();
        return value;
    }
  }

  void next_binding(Frame& frame) {
    const Token token = lexer_.next();
    if (token.is("(")) {
      frame.names.push_back(lexer_.symbol());
      return;
    }
    if (!token.is(")")) lexer_.fail(token.offset, "expected '(' or ')'");
    for (std::size_t i = 0; i < frame.names.size(); ++i) {
      bound_[frame.names[i]].push_back(frame.operands[i]);
    }
    frame.wait = Wait::Body;
  }

  Term open() {
    const Token head = lexer_.next();
    if (head.is("let")) {
      lexer_.expect("(");
      frames_.push_back({Wait::Binding, {}, {}, {}});
      next_binding(frames_.back());
      return {};
    }
    if (head.is("_")) return decimal_bits();
    if (head.is("agon.address")) return address();
    Frame frame;
    frame.head.offset = head.offset;
    if (head.is("(")) {
      indexed_head(frame.head);
    } else if (head.is(")") || head.quoted || !is_operator_name(head.text)) {
      lexer_.fail(head.offset, "expected an operator");
    } else {
      frame.head.name = head.text;
      if (head.text == "agon.read") {
        frame.head.indices.push_back(lexer_.number());
      }
    }
    frames_.push_back(std::move(frame));
    return {};
  }

  void indexed_head(Head& head) {
    const Token kind = lexer_.next();
    if (kind.is("as")) {
      lexer_.expect("const");
      head.name = "const";
      head.sort = read_sort(lexer_);
    } else if (kind.is("_")) {
      const Token name = lexer_.next();
      if (!name.is("extract") && !name.is("zero_extend") &&
          !name.is("sign_extend")) {
        lexer_.fail(name.offset, "expected extract or an extension");
      }
      head.name = name.text;
      while (lexer_.peek().is_number()) head.indices.push_back(lexer_.number());
    } else {
      lexer_.fail(kind.offset, "expected '_' or 'as'");
    }
    lexer_.expect(")");
  }

  /// The rest of `(_ bv10 32)`.
  Term decimal_bits() {
    const Token token = lexer_.next();
    const std::string_view digits =
        token.text.substr(std::min<std::size_t>(2, token.text.size()));
    if (!token.text.starts_with("bv") || !all_digits(digits, "0123456789")) {
      lexer_.fail(token.offset, "expected a constant such as bv10");
    }
    const unsigned width = lexer_.width();
    lexer_.expect(")");
    const Integer value{std::string(strip(digits))};
    if ((value >> width) != 0)
      lexer_.fail(token.offset, "this needs more bits");
    return pool_.bits(static_cast<Bits>(value), width);
  }

  /// The rest of `(agon.address x 64)`.
  Term address() {
    const std::size_t begin = lexer_.peek().offset;
    const std::string name = lexer_.symbol();
    const unsigned width =
        lexer_.peek().is("0") ? lexer_.number() : lexer_.width();
    lexer_.expect(")");
    const Term known = pool_.find(name);
    if (known && (known.kind() != Kind::Address || known.width() != width)) {
      lexer_.fail(begin, "'" + name + "' is known as something else");
    }
    return pool_.address(name, width);
  }

  Term atom(const Token& token) {
    if (!token.quoted) {
      if (token.is_number()) return numeral(token);
      if (token.text[0] == '#') return binary_bits(token);
    }
    const std::string name(token.text);
    const auto bound = bound_.find(name);
    if (bound != bound_.end() && !bound->second.empty()) {
      return bound->second.back();
    }
    if (token.is("true") || token.is("false")) {
      return pool_.boolean(token.is("true"));
    }
    const Term known = pool_.find(name);
    if (!known)
      lexer_.fail(token.offset, "there is no variable '" + name + "'");
    return known;
  }

  Term numeral(const Token& token) {
    if (!all_digits(token.text, "0123456789")) {
      lexer_.fail(token.offset, "expected a number without a fraction");
    }
    return pool_.integer(Integer{std::string(strip(token.text))});
  }

  Term binary_bits(const Token& token) {
    const bool hexadecimal = token.text.starts_with("#x");
    const std::string_view digits =
        token.text.substr(std::min<std::size_t>(2, token.text.size()));
    if ((!hexadecimal && !token.text.starts_with("#b")) ||
        !all_digits(digits, hexadecimal ? "0123456789abcdefABCDEF" : "01")) {
      lexer_.fail(token.offset, "expected a constant such as #x0a or #b01");
    }
    const unsigned step = hexadecimal ? 4 : 1;
    if (digits.size() > Sort::kMaxWidth / step) {
      lexer_.fail(token.offset, "widths are from 1 to 128");
    }
    Bits value = 0;
    for (const char c : digits) {
      const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
      value = value << step | static_cast<Bits>(digit);
    }
    return pool_.bits(value, static_cast<unsigned>(digits.size()) * step);
  }

  static bool all_digits(std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == text.npos;
  }

  /// Without leading zeros, which would make the number octal.
  static std::string_view strip(std::string_view digits) {
    return digits.substr(
        std::min(digits.find_first_not_of('0'), digits.size() - 1));
  }

  Pool& pool_;
  const support::Source& source_;
  Lexer lexer_;
  std::vector<Frame> frames_;
  std::unordered_map<std::string, std::vector<Term>> bound_;
};

}  // namespace

Term parse_term(Pool& pool, const support::Source& source,
                std::size_t& offset) {
  Parser parser(pool, source, offset);
  const Term term = parser.run();
  offset = parser.offset();
  return term;
}

Sort parse_sort(const support::Source& source, std::size_t& offset) {
  Lexer lexer(source, offset);
  const Sort sort = read_sort(lexer);
  offset = lexer.offset();
  return sort;
}

}  // namespace agon::term
