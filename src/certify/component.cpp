// SPDX-License-Identifier: Apache-2.0
#include "certify/component.h"

#include <fmt/format.h>

#include <set>

#include "certify/known.h"
#include "certify/rejected.h"
#include "evidence/readable.h"
#include "ir/flatten.h"
#include "ir/print.h"
#include "ir/start.h"
#include "ir/text.h"

namespace agon::certify {
namespace {

using term::Term;

std::vector<bool> listed_locations(
    const ir::Cfa& body, const evidence::CertifiedComponent& component,
    std::vector<bool> result) {
  result.resize(body.num_locations());
  for (std::size_t i = 0; i < component.states.size(); ++i) {
    const std::uint32_t location = component.states[i].location;
    if (location >= result.size()) {
      throw Rejected(
          fmt::format("state {}: there is no location {}", i, location));
    }
    if (i > 0) result[location] = true;
  }
  return result;
}

}  // namespace

void check_program(const ir::Program& program, ir::FunctionId entry,
                   const evidence::CertifiedComponent& component) {
  if (evidence::sha256(ir::to_text(program)) != component.program) {
    throw Rejected("it is about another program");
  }
  if (program[entry].display != component.name) {
    throw Rejected(fmt::format("'{}' is not where it starts", component.name));
  }
}

ComponentCheck::ComponentCheck(const ir::Program& program, ir::FunctionId entry,
                               const evidence::CertifiedComponent& component,
                               const std::vector<bool>& resting,
                               smt::Solver& solver)
    : program_(program),
      entry_(entry),
      component_(component),
      solver_(solver),
      blocks_(program, entry,
              listed_locations(program[entry].body, component, resting),
              component.rounds) {}

void ComponentCheck::run() {
  read_predicates();
  check_texts();
  read_steps();
  solver_.push();
  add_layout();
  check_block(blocks_.body().entry(), ir::initial_values(program_), {0});
  std::map<std::uint32_t, std::vector<Number>> at;
  for (Number i = 1; i < component_.states.size(); ++i) {
    at[component_.states[i].location].push_back(i);
  }
  for (const auto& [location, states] : at) {
    const ir::LocationId start = ir::LocationId::at(location);
    const std::vector<Number> hard = check_simply(start, states);
    if (!hard.empty()) check_block(start, {}, hard);
  }
  solver_.pop();
}

void ComponentCheck::read_predicates() {
  evidence::PredicatePrinter printer(program_);
  for (const evidence::CertifiedPredicate& predicate : component_.predicates) {
    predicates_.push_back(evidence::parse_predicate(program_, predicate.exact));
    evidence::CertifiedPredicate printed{predicate.exact, {}, {}};
    printer.print(printed);
    if (printed != predicate) {
      throw Rejected(
          fmt::format("'{}' is not what the predicate says: '{}' and '{}'",
                      predicate.text, printed.text, printed.negation));
    }
  }
}

/// What is said to people must be what is meant.
void ComponentCheck::check_texts() const {
  const ir::Cfa& body = blocks_.body();
  for (std::size_t i = 0; i < component_.states.size(); ++i) {
    const evidence::CertifiedState& state = component_.states[i];
    const std::string place =
        evidence::place_of(program_, body, ir::LocationId::at(state.location));
    if (place != state.place) {
      throw Rejected(fmt::format("state {} is at '{}' and not at '{}'", i,
                                 place, state.place));
    }
    if (evidence::holds(component_, state) != state.holds) {
      throw Rejected(fmt::format(
          "state {} is described otherwise than by its literals", i));
    }
  }
  const evidence::CertifiedState& start = component_.states.front();
  if (!start.literals.empty() || start.location != body.entry().value()) {
    throw Rejected("state 0 is not the start");
  }
}

void ComponentCheck::read_steps() {
  steps_.resize(component_.states.size());
  for (const evidence::CertifiedStep& step : component_.steps) {
    if (step.to == 0) throw Rejected("a step leads back to the start");
    steps_[step.from].emplace_back(step.label, step.to);
  }
}

void ComponentCheck::add_layout() {
  std::set<Term> used = ir::addresses_in(blocks_.body());
  const auto note = [&](Term term) {
    term::visit_subterms(term, [&](Term part) {
      if (part.kind() == term::Kind::Address) used.insert(part);
    });
  };
  for (const Term predicate : predicates_) note(predicate);
  for (const auto& [variable, value] : ir::initial_values(program_)) {
    note(value);
  }
  const auto facts = ir::layout(program_, used);
  if (!facts) throw Rejected("objects do not fit into memory");
  for (const Term fact : *facts) solver_.add(fact);
}

std::vector<Term> ComponentCheck::literals(Number state) const {
  std::vector<Term> result;
  for (const std::int64_t literal : component_.states[state].literals) {
    const auto number =
        static_cast<std::size_t>(literal < 0 ? -literal : literal) - 1;
    result.push_back(literal < 0 ? program_.pool->negation(predicates_[number])
                                 : predicates_[number]);
  }
  return result;
}

Term ComponentCheck::cube(Number state, const term::Substitution& values) {
  return term::substitute(*program_.pool,
                          program_.pool->conjunction(literals(state)), values);
}

/// That a state takes an exit and gets to none of its listed successors.
Term ComponentCheck::escape(Number state, const Exit& exit,
                            const term::Substitution& values,
                            std::map<Number, Term>& cubes) {
  term::Pool& pool = *program_.pool;
  const std::string label = blocks_.label(exit.edge);
  const ir::LocationId to = blocks_.body().edge(exit.edge).to;
  std::vector<Term> inside;
  for (const auto& [step_label, target] : steps_[state]) {
    if (step_label != label ||
        component_.states[target].location != to.value()) {
      continue;
    }
    const auto [at, is_new] = cubes.try_emplace(target);
    if (is_new) at->second = cube(target, exit.values);
    inside.push_back(at->second);
  }
  return pool.conjunction(
      {cube(state, values), pool.negation(pool.disjunction(inside))});
}

/// That one of the states does so by one of the exits.
Term ComponentCheck::escapes(const std::vector<Exit>& exits,
                             const term::Substitution& values,
                             const std::vector<Number>& states) {
  term::Pool& pool = *program_.pool;
  std::vector<Term> ways;
  for (const Exit& exit : exits) {
    std::map<Number, Term> cubes;
    std::vector<Term> found;
    for (const Number state : states) {
      found.push_back(escape(state, exit, values, cubes));
    }
    ways.push_back(pool.conjunction({exit.taken, pool.disjunction(found)}));
  }
  return pool.disjunction(ways);
}

/// Puts in what the literals of states say, and lets memory hold anything. The
/// states for which this is not enough.
std::vector<ComponentCheck::Number> ComponentCheck::check_simply(
    ir::LocationId start, const std::vector<Number>& states) {
  std::map<std::set<std::pair<Term, Term>>, std::vector<Number>> alike;
  for (const Number state : states) {
    const term::Substitution values = known_values(program_, literals(state));
    alike[{values.begin(), values.end()}].push_back(state);
  }
  std::vector<Number> hard;
  for (const auto& [known, group] : alike) {
    const term::Substitution values(known.begin(), known.end());
    const Term formula = escapes(blocks_.run(start, values), values, group);
    if (is_impossible(formula)) continue;
    hard.insert(hard.end(), group.begin(), group.end());
  }
  return hard;
}

void ComponentCheck::check_block(ir::LocationId start,
                                 const term::Substitution& values,
                                 const std::vector<Number>& states) {
  const std::vector<Exit> exits = blocks_.run(start, values);
  if (!is_impossible(escapes(exits, {}, states))) blame(exits, states);
}

/// Finds the state and the exit at fault. A question that was too hard as a
/// whole may be answered in parts.
void ComponentCheck::blame(const std::vector<Exit>& exits,
                           const std::vector<Number>& states) {
  for (const Exit& exit : exits) {
    std::map<Number, Term> cubes;
    for (const Number state : states) {
      const smt::Answer answer = ask(program_.pool->conjunction(
          {exit.taken, escape(state, exit, {}, cubes)}));
      if (answer != smt::Answer::Unsat) reject(state, exit, answer);
    }
  }
}

void ComponentCheck::reject(Number state, const Exit& exit,
                            smt::Answer answer) {
  const evidence::CertifiedState& from = component_.states[state];
  const std::string label = blocks_.label(exit.edge);
  const std::string step =
      fmt::format("the step '{}' at {}", label,
                  ir::place_of(program_, blocks_.body().edge(exit.edge)));
  const std::string where =
      state == 0 ? "the start"
                 : fmt::format("state {} at {} [{}]", state, from.place,
                               fmt::join(from.holds, " && "));
  if (answer == smt::Answer::Unknown) {
    throw Rejected(fmt::format(
        "could not be checked: {} from {}: the solver does not know ({})", step,
        where, solver_.reason()));
  }
  throw Rejected(fmt::format("{} leads from {} to no listed successor{}", step,
                             where, evidence::values_text(program_, model_)));
}

bool ComponentCheck::is_impossible(Term formula) {
  return ask(without_memory(*program_.pool, formula)) == smt::Answer::Unsat ||
         ask(formula) == smt::Answer::Unsat;
}

smt::Answer ComponentCheck::ask(Term formula) {
  if (formula.is_false()) return smt::Answer::Unsat;
  ++num_queries_;
  solver_.push();
  solver_.add(formula);
  const smt::Answer answer = solver_.check();
  if (answer == smt::Answer::Sat) model_ = solver_.model();
  solver_.pop();
  return answer;
}

}  // namespace agon::certify
