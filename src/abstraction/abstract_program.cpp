// SPDX-License-Identifier: Apache-2.0
#include "abstraction/abstract_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/broken.h"
#include "support/error.h"
#include "support/sort_unique.h"

namespace agon::abstraction {

using term::Term;

namespace {

/// A constant, or an address, which is one that has no number yet.
bool is_fixed(Term term) {
  return term.is_constant() || term.kind() == term::Kind::Address;
}

}  // namespace

AbstractSteps::AbstractSteps(const Blocks& blocks, SymbolicExecution& execution,
                             Solutions& solutions)
    : blocks_(blocks),
      execution_(execution),
      solutions_(solutions),
      pool_(*blocks.program().pool),
      choices_(blocks.body().edges().size()),
      facts_(blocks.body().num_locations()) {}

void AbstractSteps::know(std::vector<std::vector<Term>> facts) {
  AGON_ASSERT(facts.size() == facts_.size());
  facts_ = std::move(facts);
}

Term AbstractSteps::choice(ir::EdgeId edge) {
  Term& known = choices_[edge.index()];
  if (!known.valid()) {
    const auto& havoc =
        std::get<ir::Havoc>(blocks_.body().edge(edge).statement);
    known = pool_.fresh("choice", blocks_.program()[havoc.target].term.sort());
  }
  return known;
}

std::vector<Term> AbstractSteps::literals(ir::LocationId cut,
                                          const Answers& values,
                                          const Precision& precision) {
  const std::vector<Term>& predicates = precision.at(cut);
  std::vector<Term> result;
  result.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.push_back(values[i] ? predicates[i] : pool_.negation(predicates[i]));
  }
  return result;
}

Values AbstractSteps::constants(std::span<const Term> literals) const {
  const ir::Program& program = blocks_.program();
  Values result;
  for (const Term literal : literals) {
    if (literal.kind() != term::Kind::Equal) continue;
    Term a = literal.operand(0);
    Term b = literal.operand(1);
    if (a.kind() != term::Kind::Variable) std::swap(a, b);
    if (a.kind() != term::Kind::Variable || !is_fixed(b)) continue;
    const ir::VariableId variable = program.variable_of(a);
    if (variable.valid()) result.set(variable, b);
  }
  return result;
}

const std::vector<Exit>& AbstractSteps::exits(ir::LocationId cut,
                                              const Values& start) {
  Key key{cut.value()};
  for (const auto& [variable, value] : start.entries()) {
    key.push_back(variable.value());
    key.push_back(value.id());
  }
  const auto [at, is_new] = exits_.try_emplace(std::move(key));
  if (is_new) {
    num_passed_ += blocks_.block(cut).order.size();
    at->second = execution_.run(cut, start,
                                [&](ir::EdgeId edge) { return choice(edge); });
  }
  return at->second;
}

AbstractSteps::Known AbstractSteps::known_at(const Start& start) {
  return {start.constraints, start.constraints.size()};
}

AbstractSteps::Known AbstractSteps::known_at(ir::LocationId cut,
                                             std::vector<Term> literals,
                                             Values& fixed) {
  Known known{std::move(literals), 0};
  known.consistent = known.literals.size();
  known.literals.insert(known.literals.end(), facts(cut).begin(),
                        facts(cut).end());
  fixed = constants(known.literals);
  for (Term& literal : known.literals) {
    literal = execution_.rewriter()(literal, fixed);
  }
  return known;
}

AbstractSteps::Opening AbstractSteps::open(const Start& start) {
  return {known_at(start), &exits(blocks_.body().entry(), start.values)};
}

AbstractSteps::Opening AbstractSteps::open(ir::LocationId cut,
                                           const Answers& values,
                                           const Precision& precision) {
  Values fixed;
  Known known = known_at(cut, literals(cut, values, precision), fixed);
  return {std::move(known), &exits(cut, fixed)};
}

std::vector<Step> AbstractSteps::from(const Opening& opening,
                                      const Precision& precision,
                                      ir::EdgeId only) {
  std::vector<Step> result;
  for (const Exit& exit : *opening.exits) {
    if (only.valid() && exit.edge != only) continue;
    const ir::LocationId target = blocks_.body().edge(exit.edge).to;
    for (Answers& row : behind(exit, opening.known, precision.at(target))) {
      result.push_back({exit.edge, std::move(row)});
    }
  }
  return result;
}

std::vector<Answers> AbstractSteps::through(ir::EdgeId exit, const Start& start,
                                            std::span<const Term> predicates,
                                            std::size_t max_rows) {
  return behind(exits(blocks_.body().entry(), start.values), exit,
                known_at(start), predicates, max_rows);
}

std::vector<Answers> AbstractSteps::through(ir::EdgeId exit, ir::LocationId cut,
                                            std::vector<Term> literals,
                                            std::span<const Term> predicates,
                                            std::size_t max_rows) {
  Values fixed;
  const Known known = known_at(cut, std::move(literals), fixed);
  return behind(exits(cut, fixed), exit, known, predicates, max_rows);
}

std::vector<Answers> AbstractSteps::behind(const std::vector<Exit>& exits,
                                           ir::EdgeId edge, const Known& known,
                                           std::span<const Term> predicates,
                                           std::size_t max_rows) {
  const auto exit = std::ranges::find(exits, edge, &Exit::edge);
  if (exit == exits.end()) return {};
  return behind(*exit, known, predicates, max_rows);
}

std::vector<Answers> AbstractSteps::behind(const Exit& exit, const Known& known,
                                           std::span<const Term> predicates,
                                           std::size_t max_rows) {
  std::vector<Term> constraints = known.literals;
  constraints.insert(constraints.end(), exit.guard.begin(), exit.guard.end());
  std::vector<Term> questions;
  for (const Term predicate : predicates) {
    questions.push_back(execution_.rewriter()(predicate, exit.values));
  }
  return solutions_.all(constraints, known.consistent, questions, max_rows);
}

AbstractProgram::AbstractProgram(AbstractSteps& steps, const Start& start,
                                 const Precision& precision,
                                 lts::SharedLabels labels,
                                 std::span<const lts::Label> alphabet)
    : steps_(steps),
      start_(start),
      precision_(precision),
      labels_(std::move(labels)),
      alphabet_(alphabet.begin(), alphabet.end()),
      label_of_(steps.blocks().body().edges().size()) {
  states_.push_back({});
}

lts::State AbstractProgram::intern(ir::LocationId cut, const Answers& values) {
  const auto [at, is_new] =
      index_.try_emplace({cut, values}, lts::State::at(states_.size()));
  if (is_new) states_.push_back({cut, values, false, {}});
  return at->second;
}

lts::Label AbstractProgram::label(ir::EdgeId edge) {
  lts::Label& known = label_of_[edge.index()];
  if (!known.valid()) {
    const ir::FunctionId action = steps_.blocks().action(edge);
    known = action.valid()
                ? labels_->intern(steps_.blocks().program()[action].display)
                : lts::kTau;
  }
  return known;
}

AbstractSteps::Opening AbstractProgram::opening(lts::State state) {
  const Row& row = states_[state.index()];
  return row.cut.valid() ? steps_.open(row.cut, row.values, precision_)
                         : steps_.open(start_);
}

std::vector<Step> AbstractProgram::steps(const AbstractSteps::Opening& opening,
                                         ir::EdgeId only) {
  std::vector<Step> result = steps_.from(opening, precision_, only);
  if (support::is_broken("steps") && result.size() > 1) result.pop_back();
  return result;
}

const AbstractProgram::Open& AbstractProgram::open(lts::State state) {
  const auto known = open_.find(state);
  if (known != open_.end()) return known->second;
  Open& made = open_[state];
  made.opening = opening(state);
  for (const Exit& exit : *made.opening.exits) {
    made.ways.emplace_back(label(exit.edge), exit.edge);
  }
  support::sort_unique(made.ways);
  return made;
}

AbstractProgram::Moves AbstractProgram::moves_of(
    const std::vector<Step>& steps) {
  std::vector<std::pair<lts::Transition, ir::EdgeId>> found;
  for (const Step& step : steps) {
    const ir::LocationId target = steps_.blocks().body().edge(step.edge).to;
    found.push_back(
        {{label(step.edge), intern(target, step.values)}, step.edge});
  }
  std::ranges::sort(found);
  Moves result;
  for (const auto& [transition, edge] : found) {
    if (!result.out.empty() && result.out.back() == transition) continue;
    result.out.push_back(transition);
    result.exits.push_back(edge);
  }
  return result;
}

std::span<const lts::Transition> AbstractProgram::expand(lts::State state) {
  if (!states_[state.index()].is_expanded) {
    Moves moves = moves_of(steps(opening(state)));
    Row& filled = states_[state.index()];
    filled.is_expanded = true;
    filled.moves = std::move(moves);
  }
  return states_[state.index()].moves.out;
}

std::vector<lts::Label> AbstractProgram::possible(lts::State state) {
  std::vector<lts::Label> result;
  for (const auto& [label, edge] : open(state).ways) result.push_back(label);
  support::sort_unique(result);
  return result;
}

const AbstractProgram::Moves& AbstractProgram::moves(lts::State state,
                                                     lts::Label wanted) {
  const auto [at, is_new] = parts_.try_emplace({state, wanted});
  if (!is_new) return at->second;
  const Open& from = open(state);
  std::vector<Step> found;
  for (const auto& [label, edge] : from.ways) {
    if (label != wanted) continue;
    std::ranges::move(steps(from.opening, edge), std::back_inserter(found));
  }
  return at->second = moves_of(found);
}

std::span<const lts::Transition> AbstractProgram::expand(lts::State state,
                                                         lts::Label label) {
  const Row& row = states_[state.index()];
  if (!row.is_expanded) return moves(state, label).out;
  return std::ranges::equal_range(row.moves.out, label, {},
                                  &lts::Transition::label);
}

std::vector<Term> AbstractProgram::literals(lts::State state) {
  const Row& row = states_[state.index()];
  if (!row.cut.valid()) return start_.constraints;
  std::vector<Term> result = steps_.literals(row.cut, row.values, precision_);
  const std::vector<Term>& facts = steps_.facts(row.cut);
  result.insert(result.end(), facts.begin(), facts.end());
  return result;
}

ir::EdgeId AbstractProgram::exit(lts::State state, lts::Transition transition) {
  const Row& row = states_[state.index()];
  const Moves& among =
      row.is_expanded ? row.moves : moves(state, transition.label);
  const auto at = std::ranges::find(among.out, transition);
  AGON_ASSERT(at != among.out.end());
  return among.exits[static_cast<std::size_t>(at - among.out.begin())];
}

}  // namespace agon::abstraction
