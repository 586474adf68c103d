// SPDX-License-Identifier: Apache-2.0
/// Random structured bodies with loops, choices and errors, and who wins on
/// their concrete configurations.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "falsify/question.h"
#include "ir/program.h"
#include "term/evaluate.h"
#include "unit/abstraction/random_formula.h"

namespace agon::test {

/// A function 0 over small global variables that may call `error`.
class RandomFalsifiable {
 public:
  explicit RandomFalsifiable(Random& random)
      : random_(random),
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
    ir::Function action;
    action.name = "action error";
    action.display = "error";
    action.is_action = true;
    error_ = program_.add_function(action);
    for (unsigned i = 0; i < 4; ++i) add_variable(i);
    here_ = body_.add_location();
    body_.set_entry(here_);
    body_.set_exit(body_.add_location());
    add_block(2);
    if (below(random_, 4) == 0) step(ir::Call{error_, {}, {}, {}, {}});
    edge(here_, body_.exit(), ir::Return{});
    body_.finish();
    program_.functions[0].body = std::move(body_);
    return std::move(program_);
  }

  /// Values that some of the variables start with.
  static std::vector<std::pair<ir::VariableId, term::Term>> start(
      Random& random, const ir::Program& program) {
    std::vector<std::pair<ir::VariableId, term::Term>> result;
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      const auto id = ir::VariableId::at(i);
      const term::Term x = program[id].term;
      if (!x.sort().is_bits() || below(random, 4) == 0) continue;
      result.emplace_back(id, program.pool->bits(below(random, 4), x.width()));
    }
    return result;
  }

 private:
  using Term = term::Term;
  static constexpr unsigned kWidth = 2;

  void add_variable(unsigned i) {
    ir::Variable variable;
    variable.name = variable.display = "x" + std::to_string(i);
    variable.kind = ir::VariableKind::Global;
    variables_.push_back(
        program_.add_variable(variable, term::Sort::bits(kWidth)));
    make_.add(program_[variables_.back()].term);
  }

  ir::VariableId some_variable() {
    return variables_[below(random_, variables_.size())];
  }
  void edge(ir::LocationId from, ir::LocationId to, ir::Statement statement) {
    body_.add_edge(
        {from, to, std::move(statement), {ir::FileId(0), ++line_, 1}, {}});
  }
  void step(ir::Statement statement) {
    const ir::LocationId next = body_.add_location();
    edge(here_, next, std::move(statement));
    here_ = next;
  }
  void join(ir::LocationId to) {
    edge(here_, to, ir::Assume{program_.pool->boolean(true)});
  }

  void add_block(unsigned depth) {
    for (std::size_t i = 0, n = 1 + below(random_, 4); i < n; ++i) {
      const std::size_t choice = below(random_, depth > 0 ? 15 : 9);
      if (choice < 4) {
        step(ir::Assign{some_variable(), make_.number(kWidth, 1)});
      } else if (choice < 6) {
        step(ir::Havoc{some_variable(),
                       below(random_, 4) == 0 ? ir::HavocReason::Undefined
                                              : ir::HavocReason::Input,
                       ""});
      } else if (choice == 6) {
        if (below(random_, 3) == 0) step(ir::Assume{make_.formula(1)});
      } else if (choice < 9) {
        add_check();
      } else if (choice < 12) {
        add_branch(depth - 1);
      } else {
        add_loop(depth - 1);
      }
    }
  }

  void add_check() {
    if (below(random_, 2) == 0) return;
    const Term condition = make_.formula(1);
    const ir::LocationId bad = body_.add_location();
    edge(here_, bad, ir::Assume{condition});
    edge(bad, body_.exit(), ir::Call{error_, {}, {}, {}, {}});
    step(ir::Assume{program_.pool->negation(condition)});
  }

  void add_branch(unsigned depth) {
    const Term condition = make_.formula(1);
    const ir::LocationId from = here_;
    const ir::LocationId after = body_.add_location();
    step(ir::Assume{condition});
    add_block(depth);
    join(after);
    here_ = from;
    step(ir::Assume{program_.pool->negation(condition)});
    if (below(random_, 2) == 0) add_block(depth);
    join(after);
    here_ = after;
  }

  /// Often one that counts, sometimes left in the middle.
  void add_loop(unsigned depth) {
    term::Pool& pool = *program_.pool;
    const ir::VariableId counter = some_variable();
    const Term i = program_[counter].term;
    const Term bound = below(random_, 2) == 0
                           ? program_[some_variable()].term
                           : pool.bits(below(random_, 4), kWidth);
    Term stay = make_.formula(1);
    if (below(random_, 4) != 0 && bound != i) {
      static constexpr term::Kind kOrders[] = {
          term::Kind::SLess, term::Kind::ULess, term::Kind::SLessEqual,
          term::Kind::ULessEqual};
      stay = pool.binary(kOrders[below(random_, 4)], i, bound);
    }
    const ir::LocationId head = here_;
    const ir::LocationId after = body_.add_location();
    edge(head, after, ir::Assume{pool.negation(stay)});
    step(ir::Assume{stay});
    add_block(depth);
    if (below(random_, 3) == 0) {
      const Term leave = make_.formula(1);
      edge(here_, after, ir::Assume{leave});
      step(ir::Assume{pool.negation(leave)});
    }
    step(ir::Assign{counter, change(i)});
    join(head);
    here_ = after;
  }

  Term change(Term i) {
    term::Pool& pool = *program_.pool;
    if (below(random_, 8) == 0) {
      return pool.binary(term::Kind::ShiftRight, i, pool.bits(1, kWidth));
    }
    const term::Bits by = below(random_, 2) == 0 ? 1 : 1 + below(random_, 3);
    return pool.add(i, pool.bits(by, kWidth));
  }

  Random& random_;
  ir::Program program_;
  RandomFormulas make_;
  ir::FunctionId error_;
  std::vector<ir::VariableId> variables_;
  ir::Cfa body_;
  ir::LocationId here_;
  std::uint32_t line_ = 0;
};

/// The game on concrete configurations, by its definition: who can force the
/// error, if Inputs and the start are the Falsifier's and other Havocs the
/// Preventer's? An execution that ends, blocks or goes on forever is good.
class ConcreteGame {
 public:
  ConcreteGame(const ir::Program& program,
               const std::vector<std::pair<ir::VariableId, term::Term>>& start)
      : program_(program), body_(program.functions[0].body) {
    for (const ir::Variable& variable : program.variables) {
      if (variable.term.sort().is_bits()) variables_.push_back(variable.term);
    }
    term::Assignment state;
    for (const auto& [id, value] : start) {
      state[program[id].term] = {value.sort(), value.value(), {}};
    }
    add_starts(state, 0);
  }

  bool falsifier_wins() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) expand(i);
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (std::size_t i = nodes_.size(); i-- > 0;) {
        Node& node = nodes_[i];
        if (node.wins || node.next.empty()) continue;
        const auto wins = [&](std::size_t n) { return nodes_[n].wins; };
        node.wins = node.is_falsifiers ? std::ranges::any_of(node.next, wins)
                                       : std::ranges::all_of(node.next, wins);
        is_new |= node.wins;
      }
    }
    return std::ranges::any_of(starts_,
                               [&](std::size_t n) { return nodes_[n].wins; });
  }

 private:
  using Values = std::vector<std::uint64_t>;
  struct Node {
    ir::LocationId location;
    Values values;
    bool wins = false;
    bool is_falsifiers = false;
    std::vector<std::size_t> next;
  };

  void add_starts(term::Assignment& state, std::size_t i) {
    if (i == variables_.size()) {
      starts_.insert(number(body_.entry(), state));
      return;
    }
    if (state.contains(variables_[i])) return add_starts(state, i + 1);
    const term::Sort sort = variables_[i].sort();
    for (std::uint64_t v = 0; v < std::uint64_t{1} << sort.width; ++v) {
      state[variables_[i]] = {sort, v, {}};
      add_starts(state, i + 1);
    }
    state.erase(variables_[i]);
  }

  std::size_t number(ir::LocationId location, const term::Assignment& state) {
    Values values;
    for (const term::Term x : variables_) {
      values.push_back(static_cast<std::uint64_t>(state.at(x).number));
    }
    const auto [at, is_new] =
        numbers_.emplace(std::pair(location, values), nodes_.size());
    if (is_new) nodes_.push_back({location, values, false, false, {}});
    return at->second;
  }

  void lead(std::size_t from, std::size_t to) {
    nodes_[from].next.push_back(to);
  }

  void expand(std::size_t i) {
    term::Assignment state;
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      state[variables_[k]] = {variables_[k].sort(), nodes_[i].values[k], {}};
    }
    for (const ir::EdgeId id : body_.out_edges(nodes_[i].location)) {
      const ir::Edge& edge = body_.edge(id);
      const ir::Statement& statement = edge.statement;
      if (std::holds_alternative<ir::Call>(statement)) {
        nodes_[i].wins = true;
      } else if (const auto* test = std::get_if<ir::Assume>(&statement)) {
        if (term::evaluate(test->condition, state).number == 0) continue;
        lead(i, number(edge.to, state));
      } else if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
        term::Assignment after = state;
        after[program_[assign->target].term] =
            term::evaluate(assign->value, state);
        lead(i, number(edge.to, after));
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
        nodes_[i].is_falsifiers = havoc->reason == ir::HavocReason::Input;
        const term::Term x = program_[havoc->target].term;
        for (std::uint64_t v = 0; v < std::uint64_t{1} << x.width(); ++v) {
          state[x] = {x.sort(), v, {}};
          lead(i, number(edge.to, state));
        }
      }
    }
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::vector<term::Term> variables_;
  std::vector<Node> nodes_;
  std::map<std::pair<ir::LocationId, Values>, std::size_t> numbers_;
  std::set<std::size_t> starts_;
};

}  // namespace agon::test
