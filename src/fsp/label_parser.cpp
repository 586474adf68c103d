// SPDX-License-Identifier: Apache-2.0
#include "fsp/label_parser.h"

#include <fmt/format.h>

#include <utility>

namespace agon::fsp {
namespace {

using Kind = TokenKind;

constexpr int kAdditive = 9;
/// Enough for any model, and few enough to recurse over.
constexpr std::size_t kMaxParts = 500;

/// How strongly an operator binds, as in C; 0 if it is not binary.
int precedence(Kind op) {
  switch (op) {
    case Kind::BarBar:
      return 1;
    case Kind::AndAnd:
      return 2;
    case Kind::Bar:
      return 3;
    case Kind::Caret:
      return 4;
    case Kind::And:
      return 5;
    case Kind::EqualEqual:
    case Kind::NotEqual:
      return 6;
    case Kind::Less:
    case Kind::LessEqual:
    case Kind::Greater:
    case Kind::GreaterEqual:
      return 7;
    case Kind::Less2:
    case Kind::Greater2:
      return 8;
    case Kind::Plus:
    case Kind::Minus:
      return kAdditive;
    case Kind::Star:
    case Kind::Slash:
    case Kind::Percent:
      return 10;
    default:
      return 0;
  }
}

}  // namespace

Expr LabelParser::simple_expression() { return binary(kAdditive); }

// Operators of one precedence make one node, since a long sum would make a deep
// tree otherwise.
Expr LabelParser::binary(int least) {
  const Nesting nesting(*this);
  Expr left = unary();
  int left_binding = 0;  // Of the chain that `left` is, if it is one.
  for (;;) {
    const int binding = precedence(peek().kind);
    if (binding == 0 || binding < least) return left;
    if (left_binding != binding) {
      Expr chain;
      chain.kind = Expr::Kind::Chain;
      chain.offset = left.offset;
      chain.operands.push_back(std::move(left));
      left = std::move(chain);
      left_binding = binding;
    }
    left.operators.push_back({peek().kind, peek().offset});
    take();
    left.operands.push_back(binary(binding + 1));
  }
}

Expr LabelParser::unary() {
  if (!at(Kind::Plus) && !at(Kind::Minus) && !at(Kind::Not)) return primary();
  const Nesting nesting(*this);
  Expr result;
  result.kind = Expr::Kind::Unary;
  result.offset = peek().offset;
  result.operators.push_back({peek().kind, peek().offset});
  take();
  result.operands.push_back(unary());
  return result;
}

Expr LabelParser::primary() {
  Expr result;
  result.offset = peek().offset;
  switch (peek().kind) {
    case Kind::Number:
      result.value = take().value;
      return result;
    case Kind::Lower:
      result.kind = Expr::Kind::Variable;
      result.name = take().text;
      return result;
    case Kind::Upper:
      result.kind = Expr::Kind::Constant;
      result.name = take().text;
      return result;
    case Kind::Open: {
      take();
      result = expression();
      expect(Kind::Close, "')' to close the parenthesis");
      return result;
    }
    case Kind::Quote:
      take();
      result.kind = Expr::Kind::Label;
      result.labels.push_back(labels());
      return result;
    case Kind::Hash:
      take();
      result.kind = Expr::Kind::Cardinality;
      result.set.push_back(set());
      return result;
    case Kind::At:
      return element_of_set();
    default:
      expected("an expression");
  }
}

Expr LabelParser::element_of_set() {
  Expr result;
  result.kind = Expr::Kind::Element;
  result.offset = take().offset;
  expect(Kind::Open, "'(' after '@'");
  result.set.push_back(set());
  expect(Kind::Comma, "',' between the set and the index");
  result.operands.push_back(expression());
  expect(Kind::Close, "')' after the index");
  return result;
}

bool LabelParser::starts_labels(std::size_t ahead) const {
  const Token& token = peek(ahead);
  switch (token.kind) {
    case Kind::Lower:
    case Kind::OpenBrace:
    case Kind::OpenSquare:
      return true;
    case Kind::Upper:
      return sets_.contains(std::string(token.text));
    default:
      return false;
  }
}

Labels LabelParser::labels() {
  const Nesting nesting(*this);
  Labels result;
  result.offset = peek().offset;
  result.parts.push_back(label_part());
  for (;;) {
    if (at(Kind::OpenSquare)) {
      const LabelPart& last = result.parts.back();
      const bool is_return =
          last.kind == LabelPart::Kind::Name && last.name == "return";
      result.parts.push_back(bracket());
      result.parts.back().is_whole = options_.whole_return_ranges &&
                                     is_return &&
                                     result.parts.back().variable.empty();
    } else if (at(Kind::Dot) && starts_labels(1)) {
      take();
      result.parts.push_back(label_part());
    } else {
      return result;
    }
    if (result.parts.size() > kMaxParts) {
      fail(result.offset,
           fmt::format("this label has more than {} parts", kMaxParts));
    }
  }
}

LabelPart LabelParser::label_part() {
  LabelPart part;
  part.offset = peek().offset;
  if (at(Kind::OpenSquare)) return bracket();
  if (at(Kind::Lower)) {
    part.name = take().text;
    if (part.name == "tau" && !options_.allow_tau) {
      fail(part.offset,
           "'tau' is the silent action and cannot be written; hide an action "
           "with '\\' instead");
    }
    return part;
  }
  if (!starts_labels()) {
    if (at(Kind::Upper)) {
      fail(part.offset, fmt::format("'{}' is not a set that was declared above",
                                    peek().text));
    }
    expected("a label");
  }
  part.kind = LabelPart::Kind::Set;
  part.sets.push_back(set());
  if (accept(Kind::Backslash)) part.sets.push_back(set());
  return part;
}

LabelPart LabelParser::bracket() {
  const Nesting nesting(*this);
  LabelPart part;
  part.offset = expect(Kind::OpenSquare, "'['").offset;
  if (at(Kind::Lower) && peek(1).kind == Kind::Colon) {
    part.offset = peek().offset;
    part.variable = take().text;
    take();
  }
  bracket_content(part);
  expect(Kind::CloseSquare, "']'");
  return part;
}

void LabelParser::bracket_content(LabelPart& part) {
  if (at(Kind::OpenBrace)) {
    part.kind = LabelPart::Kind::Set;
    part.sets.push_back(set());
    return;
  }
  if (at(Kind::Upper) && peek(1).kind == Kind::CloseSquare) {
    part.kind = LabelPart::Kind::Named;
    part.name = take().text;
    return;
  }
  part.operands.push_back(expression());
  if (accept(Kind::DotDot)) {
    part.kind = LabelPart::Kind::Range;
    part.operands.push_back(expression());
    return;
  }
  if (!part.variable.empty()) {
    expected(fmt::format("'..' in the range of '{}'", part.variable));
  }
  part.kind = LabelPart::Kind::Value;
}

Labels LabelParser::ranges() {
  Labels result;
  result.offset = peek().offset;
  do {
    result.parts.push_back(bracket());
    if (result.parts.size() > kMaxParts) {
      fail(result.offset,
           fmt::format("there are more than {} indices here", kMaxParts));
    }
  } while (at(Kind::OpenSquare));
  return result;
}

SetExpr LabelParser::set() {
  if (!at(Kind::Upper)) return set_literal();
  SetExpr result;
  result.offset = peek().offset;
  result.name = take().text;
  if (!sets_.contains(result.name)) {
    fail(result.offset,
         fmt::format("'{}' is not a set that was declared above", result.name));
  }
  return result;
}

SetExpr LabelParser::set_literal() {
  const Nesting nesting(*this);
  SetExpr result;
  result.offset = expect(Kind::OpenBrace, "a set of labels").offset;
  if (!accept(Kind::CloseBrace)) {
    result.elements = comma_separated(&LabelParser::labels);
    expect(Kind::CloseBrace, "',' or '}' in a set of labels");
  }
  return result;
}

}  // namespace agon::fsp
