// SPDX-License-Identifier: Apache-2.0
/// Random structured bodies with loops, choices and errors, and who wins on
/// their concrete configurations.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "falsify/question.h"
#include "ir/program.h"
#include "term/evaluate.h"
#include "term/substitute.h"
#include "unit/abstraction/random_formula.h"

namespace agon::test {

/// A function 0 over small global variables that may call `error`.
class RandomFalsifiable {
 public:
  explicit RandomFalsifiable(Random& random)
      : random_(random),
        program_(ir::DataModel::LP64),
        make_(*program_.pool, random),
        width_(2 + static_cast<unsigned>(below(random, 2))) {
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
    for (unsigned i = 0; i < (width_ == 2 ? 4 : 3); ++i) add_variable(i);
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

  void add_variable(unsigned i) {
    ir::Variable variable;
    variable.name = variable.display = "x" + std::to_string(i);
    variable.kind = ir::VariableKind::Global;
    variables_.push_back(
        program_.add_variable(variable, term::Sort::bits(width_)));
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
        step(ir::Assign{some_variable(), make_.number(width_, 1)});
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
    either([&] { add_block(depth); },
           [&] {
             if (below(random_, 2) == 0) add_block(depth);
           });
  }

  /// Two ways that meet again.
  template <class One, class Other>
  void either(const One& one, const Other& other) {
    const Term condition = make_.formula(1);
    const ir::LocationId from = here_;
    const ir::LocationId after = body_.add_location();
    step(ir::Assume{condition});
    one();
    join(after);
    here_ = from;
    step(ir::Assume{program_.pool->negation(condition)});
    other();
    join(after);
    here_ = after;
  }

  /// Often one that counts, sometimes left in the middle.
  void add_loop(unsigned depth) {
    term::Pool& pool = *program_.pool;
    const ir::VariableId counter = some_variable();
    const ir::VariableId limit = some_variable();
    const Term i = program_[counter].term;
    const Term bound = below(random_, 2) == 0
                           ? program_[limit].term
                           : pool.bits(below(random_, 4), width_);
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
    count(counter, limit);
    join(head);
    here_ = after;
  }

  /// What becomes of the counter in a round: mostly the same in each; or one
  /// of two things; or it meets its limit half-way; or it goes through a copy.
  void count(ir::VariableId counter, ir::VariableId limit) {
    const Term i = program_[counter].term;
    const ir::VariableId copy = some_variable();
    const std::size_t way = below(random_, 8);
    const auto step_on = [&] { step(ir::Assign{counter, change(i)}); };
    if (way == 0) {
      either(step_on, step_on);
    } else if (way == 1 && limit != counter) {
      step(ir::Assign{counter, plus(i, 1)});
      step(ir::Assign{limit, plus(program_[limit].term, ~term::Bits{0})});
    } else if (way == 2 && copy != counter) {
      step(ir::Assign{copy, i});
      step(ir::Assign{counter, change(program_[copy].term)});
    } else {
      step_on();
    }
  }

  Term plus(Term i, term::Bits by) {
    return program_.pool->add(i, program_.pool->bits(by, width_));
  }

  Term change(Term i) {
    if (below(random_, 8) == 0) {
      return program_.pool->binary(term::Kind::ShiftRight, i,
                                   program_.pool->bits(1, width_));
    }
    return plus(i, below(random_, 2) == 0 ? 1 : 1 + below(random_, 3));
  }

  Random& random_;
  ir::Program program_;
  RandomFormulas make_;
  unsigned width_;
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
      if (!variable.term.sort().is_bits()) continue;
      shift_[variable.term] = bits_;
      bits_ += variable.term.width();
    }
    numbers_.resize(body_.num_locations() << bits_, kNone);
    add_starts(start);
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
  /// The values of all variables, one behind the other.
  using State = std::uint64_t;
  struct Node {
    ir::LocationId location;
    State state = 0;
    bool wins = false;
    bool is_falsifiers = false;
    std::vector<std::size_t> next;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  static State ones(term::Term x) { return (State{1} << x.width()) - 1; }
  State get(State state, term::Term x) const {
    return state >> shift_.at(x) & ones(x);
  }
  State with(State state, term::Term x, State value) const {
    const unsigned shift = shift_.at(x);
    return (state & ~(ones(x) << shift)) | value << shift;
  }

  void add_starts(
      const std::vector<std::pair<ir::VariableId, term::Term>>& start) {
    for (State state = 0; state < State{1} << bits_; ++state) {
      const bool fits = std::ranges::all_of(start, [&](const auto& known) {
        return get(state, program_[known.first].term) == known.second.value();
      });
      if (fits) starts_.push_back(number(body_.entry(), state));
    }
  }

  std::size_t number(ir::LocationId location, State state) {
    std::size_t& known = numbers_[(location.index() << bits_) + state];
    if (known == kNone) {
      known = nodes_.size();
      nodes_.push_back({location, state, false, false, {}});
    }
    return known;
  }

  /// What is known of a term: its value for the values of its variables.
  struct Known {
    std::vector<term::Term> variables;
    State mask = 0;
    std::unordered_map<State, State> values;
  };

  State evaluate(term::Term term, State state) {
    const auto [at, is_new] = known_.try_emplace(term);
    Known& known = at->second;
    if (is_new) {
      known.variables = term::variables_of(term);
      for (const term::Term x : known.variables) {
        known.mask |= ones(x) << shift_.at(x);
      }
    }
    const auto [value, is_first] = known.values.try_emplace(state & known.mask);
    if (is_first) {
      term::Assignment values;
      for (const term::Term x : known.variables) {
        values[x] = {x.sort(), get(state, x), {}};
      }
      value->second = static_cast<State>(term::evaluate(term, values).number);
    }
    return value->second;
  }

  void lead(std::size_t from, ir::LocationId location, State state) {
    const std::size_t to = number(location, state);
    nodes_[from].next.push_back(to);
  }

  void expand(std::size_t i) {
    const State state = nodes_[i].state;
    for (const ir::EdgeId id : body_.out_edges(nodes_[i].location)) {
      const ir::Edge& edge = body_.edge(id);
      const ir::Statement& statement = edge.statement;
      if (std::holds_alternative<ir::Call>(statement)) {
        nodes_[i].wins = true;
      } else if (const auto* test = std::get_if<ir::Assume>(&statement)) {
        if (evaluate(test->condition, state) != 0) lead(i, edge.to, state);
      } else if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
        lead(i, edge.to,
             with(state, program_[assign->target].term,
                  evaluate(assign->value, state)));
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
        nodes_[i].is_falsifiers = havoc->reason == ir::HavocReason::Input;
        const term::Term x = program_[havoc->target].term;
        for (State v = 0; v <= ones(x); ++v) {
          lead(i, edge.to, with(state, x, v));
        }
      }
    }
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::unordered_map<term::Term, unsigned> shift_;
  unsigned bits_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::size_t> numbers_;  // By location and state.
  std::vector<std::size_t> starts_;
  std::unordered_map<term::Term, Known> known_;
};

}  // namespace agon::test
