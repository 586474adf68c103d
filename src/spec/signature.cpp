// SPDX-License-Identifier: Apache-2.0
#include "spec/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/source.h"

namespace agon::spec {
namespace {

constexpr std::array<std::string_view, 22> kWordsOfTypes{
    "void",     "char",   "short",    "int",      "long",   "float",
    "double",   "signed", "unsigned", "_Bool",    "struct", "union",
    "enum",     "const",  "volatile", "restrict", "static", "inline",
    "register", "extern", "_Complex", "bool"};

bool is_word_of_type(std::string_view word) {
  return std::ranges::find(kWordsOfTypes, word) != kWordsOfTypes.end();
}

/// The words of a parameter outside of brackets, and the first inside of
/// parentheses that start with `*`: `int (*callback)(int)`.
struct Words {
  std::vector<std::string> plain;
  std::string in_parentheses;
  bool ends_in_word = false;
};

Words words_of(const support::Source& source, const CText& text) {
  Words result;
  Scanner scanner(source, text.offset);
  const std::size_t end = text.offset + text.text.size();
  while (scanner.skip_space(), scanner.at() < end) {
    if (!scanner.word().empty()) {
      result.plain.emplace_back(scanner.take_word());
      result.ends_in_word = true;
    } else if (scanner.peek() == '[') {
      scanner.bracketed();
    } else if (scanner.peek() == '(') {
      const std::size_t open = scanner.at();
      scanner.bracketed();
      const std::size_t close = scanner.at();
      Scanner inside(source, open + 1);
      inside.skip_space();
      while (inside.accept("*") || inside.accept("const")) {
      }
      if (result.in_parentheses.empty()) result.in_parentheses = inside.word();
      scanner.go_to(close);
      result.ends_in_word = false;
    } else {
      scanner.step();
      result.ends_in_word = false;
    }
  }
  return result;
}

/// The name that a parameter declares; empty if it declares none.
std::string declared_name(const support::Source& source, const CText& text) {
  const Words words = words_of(source, text);
  if (!words.ends_in_word) return words.in_parentheses;
  const std::size_t count = words.plain.size();
  if (count < 2 && text.text.find('*') == std::string::npos) return {};
  const std::string& last = words.plain.back();
  if (is_word_of_type(last)) return {};
  const std::string_view before =
      count < 2 ? std::string_view() : words.plain[count - 2];
  const bool is_tag =
      before == "struct" || before == "union" || before == "enum";
  return is_tag ? std::string() : last;
}

void read_parameters(Scanner& scanner, Signature& result,
                     const support::Source& source) {
  result.parameters = scanner.bracketed();
  const CText whole = trimmed(result.parameters);
  if (whole.text.empty() || whole.text == "void") return;
  Scanner inside(source, result.parameters.offset);
  for (;;) {
    const CText one = trimmed(inside.until(",)", "')'"));
    if (one.text == "...") {
      result.is_variadic = true;
    } else if (one.text.empty()) {
      scanner.fail(inside.at(), "expected a parameter");
    } else {
      result.names.push_back(declared_name(source, one));
    }
    if (inside.peek() == ')') return;
    inside.step();
  }
}

}  // namespace

Signature signature(Scanner& scanner, const std::string& keyword) {
  Signature result;
  result.type.offset = scanner.offset();
  const std::size_t begin = scanner.at();
  std::size_t name_begin = begin;
  std::size_t name_end = begin;
  const support::Source& source = scanner.source();
  for (const std::string_view word : {"extern", "static", "inline"}) {
    if (scanner.accept(word)) result.type.offset = scanner.offset();
  }
  while (!scanner.at_end() && scanner.peek() != '(') {
    if (std::string_view(";:=").find(scanner.peek()) !=
        std::string_view::npos) {
      break;
    }
    if (!scanner.word().empty()) {
      name_begin = scanner.at();
      scanner.take_word();
      name_end = scanner.at();
    } else {
      scanner.step();
    }
    scanner.skip_space();
  }
  if (scanner.peek() != '(') {
    scanner.expected("'(' and the parameters of a routine");
  }
  if (name_end == begin || is_digit(source.text()[name_begin])) {
    scanner.fail(begin, fmt::format("expected the type and name of a routine "
                                    "after '{}'",
                                    keyword));
  }
  result.name = source.text().substr(name_begin, name_end - name_begin);
  result.name_offset = static_cast<Offset>(name_begin);
  result.type =
      trimmed({result.type.offset,
               std::string(source.text().substr(
                   result.type.offset,
                   std::max<std::size_t>(name_begin, result.type.offset) -
                       result.type.offset))});
  if (result.type.text.empty() || is_word_of_type(result.name)) {
    scanner.fail(name_begin,
                 fmt::format("expected the type that '{}' returns in front of "
                             "its name",
                             result.name));
  }
  result.is_void = result.type.text == "void";
  read_parameters(scanner, result, source);
  scanner.skip_space();
  return result;
}

}  // namespace agon::spec
