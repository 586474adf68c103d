// SPDX-License-Identifier: Apache-2.0
/// Random bodies over few small variables, and what they do step by step.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "term/evaluate.h"
#include "unit/abstraction/random_formula.h"

namespace agon::test {

struct BodyShape {
  unsigned locations = 10;
  unsigned variables = 3;
  unsigned width = 2;
  unsigned actions = 2;     ///< That can be performed: a, b, …
  unsigned eagerness = 0;   ///< How many more statements are actions.
  unsigned max_havocs = 2;  ///< On all paths together.
  unsigned depth = 2;       ///< Of formulas.
  bool loops = false;
};

/// A program whose function 0 has one body and only global variables.
class RandomBody {
 public:
  RandomBody(Random& random, BodyShape shape)
      : random_(random),
        shape_(shape),
        program_(ir::DataModel::LP64),
        make_(*program_.pool, random) {
    make_.arithmetic = make_.pairs = true;
  }

  ir::Program build() {
    program_.files = {"random.c"};
    ir::Function function;
    function.name = function.display = "f";
    function.has_body = true;
    program_.add_function(function);
    for (unsigned i = 0; i < shape_.actions; ++i) add_action(i);
    for (unsigned i = 0; i < shape_.variables; ++i) add_variable(i);
    for (unsigned i = 0; i <= shape_.locations; ++i) body_.add_location();
    body_.set_entry(ir::LocationId(0));
    body_.set_exit(ir::LocationId(shape_.locations));
    for (at_ = 0; at_ + 1 < shape_.locations; ++at_) add_statement();
    edge(shape_.locations, ir::Return{});
    body_.finish();
    program_.functions[0].body = std::move(body_);
    return std::move(program_);
  }

 private:
  using Term = term::Term;

  void add_action(unsigned i) {
    ir::Function action;
    action.name = "action " + std::to_string(i);
    action.display = std::string(1, static_cast<char>('a' + i));
    action.is_action = true;
    actions_.push_back(program_.add_function(action));
  }

  void add_variable(unsigned i) {
    ir::Variable variable;
    variable.name = variable.display = "x" + std::to_string(i);
    variable.kind = ir::VariableKind::Global;
    variables_.push_back(
        program_.add_variable(variable, term::Sort::bits(shape_.width)));
    make_.add(program_[variables_.back()].term);
  }

  ir::VariableId some_variable() {
    return variables_[below(random_, variables_.size())];
  }

  unsigned target() {
    if (shape_.loops && below(random_, 4) == 0) {
      return static_cast<unsigned>(below(random_, shape_.locations));
    }
    const unsigned left = shape_.locations - 1 - at_;
    return at_ + 1 + static_cast<unsigned>(below(random_, std::min(left, 4U)));
  }

  void edge(unsigned to, ir::Statement statement) {
    body_.add_edge({ir::LocationId(at_),
                    ir::LocationId(to),
                    std::move(statement),
                    {ir::FileId(0), ++line_, 1},
                    {}});
  }
  void test(Term condition) { edge(target(), ir::Assume{condition}); }

  void add_statement() {
    switch (below(random_, 16 + shape_.eagerness)) {
      case 0:  // Blocks where it does not hold.
        return test(make_.formula(2));
      case 1:
        if (below(random_, 6) == 0) return;  // The end.
        if (below(random_, 4) == 0) {
          return edge(shape_.locations, ir::Return{});
        }
        return test(program_.pool->boolean(true));
      case 2:
      case 3:
        if (shape_.actions > 0) return perform();
        break;
      case 4:
      case 5:
        if (havocs_ < shape_.max_havocs) {
          ++havocs_;
          return edge(target(),
                      ir::Havoc{some_variable(), ir::HavocReason::Input, "?"});
        }
        break;
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
      case 11:
        return branch();
      case 12:
      case 13:
      case 14:
      case 15:
        break;
      default:
        return perform();
    }
    edge(target(), ir::Assign{some_variable(), make_.number(shape_.width, 2)});
  }

  void perform() {
    const ir::FunctionId action = actions_[below(random_, actions_.size())];
    edge(target(), ir::Call{action, {}, {}, {}, {}});
  }

  void branch() {
    term::Pool& pool = *program_.pool;
    const Term a = make_.formula(shape_.depth);
    const Term b = make_.formula(shape_.depth);
    switch (below(random_, 4)) {
      case 0: {  // A switch.
        const Term x = program_[some_variable()].term;
        const Term one = pool.equal(x, pool.bits(1, shape_.width));
        const Term two = pool.equal(x, pool.bits(2, shape_.width));
        test(one);
        test(two);
        return test(pool.conjunction({pool.negation(one), pool.negation(two)}));
      }
      case 1:
        test(pool.conjunction({a, b}));
        test(pool.conjunction({a, pool.negation(b)}));
        return test(pool.negation(a));
      default:
        test(a);
        return test(pool.negation(a));
    }
  }

  Random& random_;
  BodyShape shape_;
  ir::Program program_;
  RandomFormulas make_;
  std::vector<ir::FunctionId> actions_;
  std::vector<ir::VariableId> variables_;
  ir::Cfa body_;
  unsigned at_ = 0;
  unsigned havocs_ = 0;
  std::uint32_t line_ = 0;
};

/// Follows the statements of function 0 by their definition. `chosen` has the
/// values of Havocs, by edge.
class Stepper {
 public:
  using Chosen = std::map<ir::EdgeId, term::Value>;

  explicit Stepper(const ir::Program& program)
      : program_(program), body_(program.functions[0].body) {}

  /// The edge that is taken, after which `values` is changed; nothing at the
  /// end of the run.
  std::optional<ir::EdgeId> step(ir::LocationId at, term::Assignment& values,
                                 const Chosen& chosen) const {
    for (const ir::EdgeId id : body_.out_edges(at)) {
      const ir::Statement& statement = body_.edge(id).statement;
      if (const auto* test = std::get_if<ir::Assume>(&statement)) {
        if (term::evaluate(test->condition, values).number == 0) continue;
      } else if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
        const term::Value value = term::evaluate(assign->value, values);
        values[program_[assign->target].term] = value;
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
        values[program_[havoc->target].term] = chosen.at(id);
      }
      return id;
    }
    return std::nullopt;
  }

 private:
  const ir::Program& program_;
  const ir::Cfa& body_;
};

/// The terms of the scalar variables.
inline std::vector<term::Term> variables_of(const ir::Program& program) {
  std::vector<term::Term> result;
  for (const ir::Variable& variable : program.variables) {
    if (!variable.term.sort().is_array()) result.push_back(variable.term);
  }
  return result;
}

}  // namespace agon::test
