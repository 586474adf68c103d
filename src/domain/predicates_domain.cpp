// SPDX-License-Identifier: Apache-2.0
#include "domain/predicates_domain.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "abstraction/solutions.h"
#include "domain/branch_predicates.h"
#include "term/substitute.h"

// A value has a word per predicate: not known, true, or false. After a
// statement the predicates that it touches have the values of their weakest
// preconditions before it, of which the solver enumerates the combinations.

namespace agon::domain {
namespace {

using term::Term;

enum Truth : std::uint64_t { kUnknown, kTrue, kFalse };

class PredicatesDomain final : public Domain {
 public:
  explicit PredicatesDomain(const Setting& setting)
      : program_(setting.program),
        pool_(*setting.program.pool),
        solutions_(pool_, setting.solver, setting.context),
        predicates_(setting.predicates) {
    if (predicates_.empty()) {
      predicates_ =
          branch_predicates(program_, setting.entry, setting.conditions);
    }
    for (const Term predicate : predicates_) {
      const std::vector<Term> variables = term::variables_of(predicate);
      reads_.emplace_back(variables.begin(), variables.end());
    }
  }

  Value top() const override { return Value(predicates_.size(), kUnknown); }

  std::vector<Value> post(const Value& value,
                          const ir::Assign& assign) override {
    return after(value, program_[assign.target].term, assign.value);
  }

  std::vector<Value> post(const Value& value, const ir::Havoc& havoc) override {
    const Term target = program_[havoc.target].term;
    Term& anything = anything_[target];
    if (!anything.valid()) anything = pool_.fresh("any", target.sort());
    return after(value, target, anything);
  }

  std::vector<Value> filter(const Value& value, Term condition) override {
    return filter(value, condition, kMostTogether);
  }

  std::optional<Value> restrict(const Value& value, Term condition) override {
    const std::vector<Value> found = filter(value, condition, 0);
    if (found.empty()) return std::nullopt;
    return found.front();
  }

  bool is_below(const Value& a, const Value& b) const override {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (b[i] != kUnknown && a[i] != b[i]) return false;
    }
    return true;
  }

  Value join(const Value& a, const Value& b) const override {
    Value result = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i]) result[i] = kUnknown;
    }
    return result;
  }

  Value widen(const Value& a, const Value& b) const override {
    return join(a, b);
  }

  Value situation(const Value& value) const override { return value; }

  Value keep(const Value& value, const Keep& is_kept) const override {
    Value result = value;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const bool is_live = std::ranges::all_of(reads_[i], [&](Term variable) {
        const ir::VariableId id = program_.variable_of(variable);
        return !id.valid() || is_kept(id);
      });
      if (!is_live) result[i] = kUnknown;
    }
    return result;
  }

  Term concretise(const Value& value) const override {
    return pool_.conjunction(literals(value));
  }

 private:
  std::vector<Value> after(const Value& value, Term target, Term result) {
    std::vector<std::size_t> touched;
    std::vector<Term> conditions;
    for (std::size_t i = 0; i < predicates_.size(); ++i) {
      if (!reads_[i].contains(target)) continue;
      touched.push_back(i);
      conditions.push_back(
          term::substitute(pool_, predicates_[i], {{target, result}}));
    }
    if (touched.empty()) return {value};
    return enumerate(value, {}, touched, conditions, kMostTogether);
  }

  std::vector<Value> filter(const Value& value, Term condition,
                            std::size_t most) {
    if (condition.is_true()) return {value};
    if (condition.is_false()) return {};
    const std::vector<Term> variables = term::variables_of(condition);
    std::vector<std::size_t> open;
    std::vector<Term> conditions;
    for (std::size_t i = 0; i < predicates_.size(); ++i) {
      const bool is_near = std::ranges::any_of(
          variables, [&](Term v) { return reads_[i].contains(v); });
      if (value[i] != kUnknown || !is_near) continue;
      open.push_back(i);
      conditions.push_back(predicates_[i]);
    }
    return enumerate(value, condition, open, conditions, most);
  }

  std::vector<Term> literals(const Value& value) const {
    std::vector<Term> result;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i] == kTrue) result.push_back(predicates_[i]);
      if (value[i] == kFalse) result.push_back(pool_.negation(predicates_[i]));
    }
    return result;
  }

  /// What the predicates `which` can be if they are the `conditions` in the
  /// states of `value` in which `extra` holds. The first `most` of them are
  /// looked at together, the others one by one.
  std::vector<Value> enumerate(const Value& value, Term extra,
                               const std::vector<std::size_t>& which,
                               const std::vector<Term>& conditions,
                               std::size_t most) {
    std::vector<Term> states = literals(value);
    const std::size_t consistent = states.size();
    if (extra.valid()) states.push_back(extra);
    Value next = value;
    for (const std::size_t i : which) next[i] = kUnknown;
    for (std::size_t k = most; k < which.size(); ++k) {
      const auto answers =
          solutions_.all(states, consistent, {&conditions[k], 1});
      if (answers.empty()) return {};
      if (answers.size() == 1) next[which[k]] = answers[0][0] ? kTrue : kFalse;
    }
    const std::size_t together = std::min(most, which.size());
    const auto rows =
        solutions_.all(states, consistent, {conditions.data(), together});
    std::vector<Value> result;
    for (const abstraction::Answers& row : rows) {
      for (std::size_t k = 0; k < together; ++k) {
        next[which[k]] = row[k] ? kTrue : kFalse;
      }
      result.push_back(next);
    }
    if (!solutions_.has_failed()) return result;
    for (const std::size_t i : which) next[i] = kUnknown;
    return {next};
  }

  static constexpr std::size_t kMostTogether = 8;

  const ir::Program& program_;
  term::Pool& pool_;
  abstraction::Solutions solutions_;
  std::vector<Term> predicates_;
  std::vector<std::unordered_set<Term>> reads_;
  std::unordered_map<Term, Term> anything_;  // By the target of a Havoc.
};

}  // namespace

std::unique_ptr<Domain> make_predicates_domain(const Setting& setting) {
  return std::make_unique<PredicatesDomain>(setting);
}

}  // namespace agon::domain
