// SPDX-License-Identifier: Apache-2.0
/// Parsing of expressions, labels and sets of labels.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "fsp/ast.h"
#include "fsp/cursor.h"
#include "fsp/options.h"

namespace agon::fsp {

class LabelParser : public Cursor {
 public:
  LabelParser(const support::Source& source, ParseOptions options)
      : Cursor(source), options_(options) {}

 protected:
  Expr expression() { return binary(1); }
  /// Only + - * / %, so that `const N = 3` may be followed by `||S = …`.
  Expr simple_expression();

  /// Whether labels may start here. A process and a set look the same, so sets
  /// have to be declared before they are used.
  bool starts_labels(std::size_t ahead = 0) const;
  Labels labels();
  SetExpr set();
  SetExpr set_literal();
  LabelPart bracket();
  /// One or more brackets.
  Labels ranges();

  void declare_set(const std::string& name) { sets_.insert(name); }
  const ParseOptions& options() const { return options_; }

  template <class Element>
  std::vector<Element> comma_separated(Element (LabelParser::*element)()) {
    std::vector<Element> result;
    do {
      result.push_back((this->*element)());
    } while (accept(TokenKind::Comma));
    return result;
  }

 private:
  Expr binary(int least);
  Expr unary();
  Expr primary();
  Expr element_of_set();
  LabelPart label_part();
  void bracket_content(LabelPart& part);

  ParseOptions options_;
  std::unordered_set<std::string> sets_;
};

}  // namespace agon::fsp
