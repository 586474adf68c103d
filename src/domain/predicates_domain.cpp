// SPDX-License-Identifier: Apache-2.0
#include "domain/predicates_domain.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "domain/branch_predicates.h"
#include "smt/solver.h"
#include "term/substitute.h"

// A value has a word per predicate: not known, true, or false. After a
// statement the predicates that it touches have the values of their weakest
// preconditions before it, of which the solver enumerates the combinations.

namespace agon::domain {
namespace {

using smt::Answer;
using term::Term;

enum Truth : std::uint64_t { kUnknown, kTrue, kFalse };

class PredicatesDomain final : public Domain {
 public:
  explicit PredicatesDomain(const Setting& setting)
      : program_(setting.program),
        pool_(*setting.program.pool),
        solver_(setting.solver),
        predicates_(setting.predicates) {
    if (predicates_.empty()) {
      predicates_ = branch_predicates(program_, setting.entry);
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
    return filter(value, condition, kMostUnknown);
  }

  std::optional<Value> restrict(const Value& value, Term condition) override {
    const std::vector<Value> found = filter(value, condition, 0);
    return found.empty() ? std::nullopt : std::optional(found.front());
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
    std::vector<Term> literals;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i] == kTrue) literals.push_back(predicates_[i]);
      if (value[i] == kFalse)
        literals.push_back(pool_.negation(predicates_[i]));
    }
    return pool_.conjunction(literals);
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
    return enumerate(value, concretise(value), touched, conditions);
  }

  std::vector<Value> filter(const Value& value, Term condition,
                            std::size_t most) {
    if (condition.is_true()) return {value};
    const Term states = pool_.conjunction({concretise(value), condition});
    if (states.is_false()) return {};
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
    if (open.size() > most) return decide_each(value, states, open, conditions);
    return enumerate(value, states, open, conditions);
  }

  /// All truths of `conditions` in `states`, as values of the predicates
  /// `which`. Too many become one value that knows less.
  std::vector<Value> enumerate(const Value& value, Term states,
                               const std::vector<std::size_t>& which,
                               const std::vector<Term>& conditions) {
    std::set<Value> found;
    solver_.push();
    solver_.add(states);
    Answer answer = Answer::Unknown;
    while (found.size() <= kMostValues &&
           (answer = solver_.check()) == Answer::Sat) {
      const term::Assignment model = solver_.model();
      Value next = value;
      std::vector<Term> same;
      for (std::size_t k = 0; k < which.size(); ++k) {
        const bool holds = term::evaluate(conditions[k], model).number != 0;
        next[which[k]] = holds ? kTrue : kFalse;
        same.push_back(holds ? conditions[k] : pool_.negation(conditions[k]));
      }
      if (!found.insert(next).second) break;  // The model was not exact.
      solver_.add(pool_.negation(pool_.conjunction(same)));
    }
    solver_.pop();
    if (answer == Answer::Unsat) return {found.begin(), found.end()};
    return decide_each(value, states, which, conditions);
  }

  /// One value that knows what the solver can tell about each condition.
  std::vector<Value> decide_each(const Value& value, Term states,
                                 const std::vector<std::size_t>& which,
                                 const std::vector<Term>& conditions) {
    Value next = value;
    bool is_empty = false;
    solver_.push();
    solver_.add(states);
    is_empty = solver_.check() == Answer::Unsat;
    for (std::size_t k = 0; k < which.size() && !is_empty; ++k) {
      next[which[k]] = kUnknown;
      const Term otherwise[] = {pool_.negation(conditions[k])};
      const Term holds[] = {conditions[k]};
      if (solver_.check(otherwise) == Answer::Unsat) {
        next[which[k]] = kTrue;
      } else if (solver_.check(holds) == Answer::Unsat) {
        next[which[k]] = kFalse;
      }
    }
    solver_.pop();
    if (is_empty) return {};
    return {next};
  }

  static constexpr std::size_t kMostValues = 16;
  static constexpr std::size_t kMostUnknown = 8;

  const ir::Program& program_;
  term::Pool& pool_;
  smt::Solver& solver_;
  std::vector<Term> predicates_;
  std::vector<std::unordered_set<Term>> reads_;
  std::unordered_map<Term, Term> anything_;  // By the target of a Havoc.
};

}  // namespace

std::unique_ptr<Domain> make_predicates_domain(const Setting& setting) {
  return std::make_unique<PredicatesDomain>(setting);
}

}  // namespace agon::domain
