// SPDX-License-Identifier: Apache-2.0
/// The values of expressions, and the labels that compound labels denote.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fsp/ast.h"
#include "fsp/budget.h"
#include "fsp/value.h"
#include "support/source.h"

namespace agon::fsp {

/// What `const`, `range` and `set` define.
struct Globals {
  std::unordered_map<std::string, Value> constants;
  std::unordered_map<std::string, std::pair<std::int64_t, std::int64_t>> ranges;
  std::unordered_map<std::string, std::vector<std::string>> sets;
};

/// A label, and the scope in which the variables of its text are bound.
struct BoundLabel {
  std::string text;
  Scope scope;
};

/// Evaluates what is written in one file. Everything fails with an InputError
/// at the place in question.
class Evaluator {
 public:
  /// All have to outlive the evaluator.
  Evaluator(const support::Source& source, const Globals& globals,
            Budget& budget)
      : source_(source), globals_(globals), budget_(budget) {}

  Value value(const Expr& expr, const Scope& scope) const;
  std::int64_t number(const Expr& expr, const Scope& scope) const;
  bool holds(const Expr& condition, const Scope& scope) const {
    return number(condition, scope) != 0;
  }

  /// What `labels` denotes, the last part varying fastest. Ranges and sets are
  /// evaluated in `scope`, before any variable of the label is bound; indices
  /// may use the variables to their left. With brackets only, this enumerates
  /// the values of indices.
  std::vector<BoundLabel> expand(const Labels& labels,
                                 const Scope& scope) const;

  /// All labels denoted, without repetition, in order.
  std::vector<std::string> all(const Labels& labels, const Scope& scope) const;
  std::vector<std::string> all(const SetExpr& set, const Scope& scope) const;

  [[noreturn]] void fail(Offset offset, const std::string& message) const {
    source_.fail(offset, message);
  }
  Budget& budget() const { return budget_; }
  const support::Source& source() const { return source_; }

 private:
  struct Alternatives;

  Value named(const Expr& expr, const Scope& scope) const;
  Value label_constant(const Expr& expr, const Scope& scope) const;
  Value element(const Expr& expr, const Scope& scope) const;
  Value unary(const Expr& expr, const Scope& scope) const;
  Value chain(const Expr& expr, const Scope& scope) const;
  Value apply(const Operator& op, const Value& left, const Value& right) const;
  std::int64_t as_number(const Value& value, Offset offset) const;
  [[noreturn]] void undefined(const std::string& name, Offset offset) const;

  Alternatives alternatives(const LabelPart& part, const Scope& scope) const;
  static Alternatives whole(Alternatives range);
  Alternatives range(const LabelPart& part, std::int64_t low,
                     std::int64_t high) const;
  Alternatives named_alternatives(const LabelPart& part,
                                  const Scope& scope) const;
  std::vector<std::string> difference(const LabelPart& part,
                                      const Scope& scope) const;
  std::vector<BoundLabel> product(const Labels& labels,
                                  const std::vector<Alternatives>& parts,
                                  const Scope& scope) const;
  BoundLabel choose(const Alternatives& part, std::uint64_t choice,
                    const Scope& scope) const;
  void check_variables(const Labels& labels, const Scope& scope) const;

  const support::Source& source_;
  const Globals& globals_;
  Budget& budget_;
};

/// Evaluates the definitions in order; each may use the earlier ones.
Globals evaluate_globals(const File& file, const support::Source& source,
                         Budget& budget);

}  // namespace agon::fsp
