// SPDX-License-Identifier: Apache-2.0
#include "abstraction/solutions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "support/hash.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::abstraction {

using term::Kind;
using term::Term;

namespace {

/// Of `x == 5` the variable and the constant.
std::optional<std::pair<Term, Term>> known_value(term::Pool& pool,
                                                 Term literal) {
  if (literal.kind() == Kind::Variable) {
    return std::pair(literal, pool.boolean(true));
  }
  if (literal.kind() == Kind::Not &&
      literal.operand(0).kind() == Kind::Variable) {
    return std::pair(literal.operand(0), pool.boolean(false));
  }
  if (literal.kind() != Kind::Equal) return std::nullopt;
  Term a = literal.operand(0);
  Term b = literal.operand(1);
  if (a.kind() != Kind::Variable) std::swap(a, b);
  const bool is_fixed = b.is_constant() || b.kind() == Kind::Address;
  if (a.kind() != Kind::Variable || !is_fixed) return std::nullopt;
  return std::pair(a, b);
}

/// Of `x == y + 5` the variable that came later and what it is.
std::optional<std::pair<Term, Term>> known_distance(term::Pool& pool,
                                                    Term literal) {
  if (literal.kind() != Kind::Equal) return std::nullopt;
  Term a = literal.operand(0);
  Term b = literal.operand(1);
  if (!a.sort().is_bits()) return std::nullopt;
  if (a.kind() != Kind::Variable) std::swap(a, b);
  Term base = b;
  Term distance = pool.bits(0, a.width());
  if (b.kind() == Kind::Add && b.operands().size() == 2 &&
      b.operand(1).is_constant()) {
    base = b.operand(0);
    distance = b.operand(1);
  }
  if (a.kind() != Kind::Variable || base.kind() != Kind::Variable ||
      a == base) {
    return std::nullopt;
  }
  return a > base ? std::pair(a, b)
                  : std::pair(base, pool.subtract(a, distance));
}

/// Distances to variables that stay.
void add_distances(term::Pool& pool, std::span<const Term> literals,
                   term::Substitution& known) {
  std::vector<Term> bases;
  for (const Term literal : literals) {
    const auto found = known_distance(pool, literal);
    if (!found) continue;
    const auto& [variable, value] = *found;
    const Term base = value.kind() == Kind::Add ? value.operand(0) : value;
    if (known.contains(base) || std::ranges::count(bases, variable) > 0) {
      continue;
    }
    if (known.try_emplace(variable, value).second) bases.push_back(base);
  }
}

void add_conjuncts(Term term, std::vector<Term>& to) {
  if (term.kind() == Kind::And) {
    for (const Term part : term.operands()) add_conjuncts(part, to);
  } else if (!term.is_true()) {
    to.push_back(term);
  }
}

}  // namespace

Solutions::Solutions(term::Pool& pool, smt::Solver& solver,
                     support::Context& context, Layers layers)
    : pool_(pool), solver_(solver), context_(context), layers_(layers) {}

std::size_t Solutions::KeyHash::operator()(
    const std::vector<std::uint32_t>& key) const {
  std::uint64_t hash = 0;
  for (const std::uint32_t word : key) hash = support::mix(hash + word);
  return hash;
}

std::vector<Answers> Solutions::all(std::span<const Term> constraints,
                                    std::size_t consistent,
                                    std::span<const Term> questions,
                                    std::size_t max_rows) {
  Terms conjuncts;
  for (const Term constraint : constraints.first(consistent)) {
    add_conjuncts(constraint, conjuncts);
  }
  const std::size_t num_harmless = conjuncts.size();
  for (const Term constraint : constraints.subspan(consistent)) {
    add_conjuncts(constraint, conjuncts);
  }
  Terms asked(questions.begin(), questions.end());
  if (layers_.reads) flatten(conjuncts, asked);
  Terms harmless(conjuncts.begin(),
                 conjuncts.begin() + static_cast<long>(num_harmless));
  std::ranges::sort(harmless);
  if (layers_.propagate && !propagate(conjuncts, asked)) return {};

  std::vector<Answers> rows{Answers(asked.size())};
  for (Part& part : divide(conjuncts, harmless, asked)) {
    const std::vector<Answers>& solved = solve(part, max_rows);
    std::vector<Answers> extended;
    for (const Answers& row : rows) {
      if (context_.exhausted()) break;
      if (extended.size() > max_rows) {
        is_cut_ = true;
        break;
      }
      for (const Answers& answers : solved) {
        extended.push_back(row);
        for (std::size_t i = 0; i < answers.size(); ++i) {
          extended.back()[part.places[i]] = answers[i];
        }
      }
    }
    rows = std::move(extended);
    if (rows.empty() || context_.exhausted()) return rows;
  }
  std::ranges::sort(rows);
  return rows;
}

bool OnePlace::add(const Solutions::About& about) {
  for (const Term read : about.reads) {
    has_reads_ = true;
    const auto [at, is_new] = reads_.try_emplace(read.operand(0), read);
    if (!is_new && at->second != read) return false;
  }
  return std::ranges::all_of(about.whole, [&](Term memory) {
    return reads_.emplace(memory, Term()).second || !reads_.at(memory).valid();
  });
}

/// Replaces reads by variables, if that is the same. Whether it did.
bool Solutions::flatten(Terms& constraints, Terms& questions) {
  OnePlace places;
  for (const auto* terms : {&constraints, &questions}) {
    for (const Term t : *terms) {
      if (!places.add(about(t))) return false;
    }
  }
  if (!places.has_reads()) return false;
  for (auto* terms : {&constraints, &questions}) {
    for (Term& t : *terms) t = flat(t);
  }
  return true;
}

Term Solutions::flat(Term term) {
  const auto [at, is_new] = flat_.try_emplace(term);
  if (is_new) {
    term::Substitution names;
    for (const Term read : about(term).reads) {
      Term& name = names_[read];
      if (!name.valid()) name = pool_.fresh("read", read.sort());
      names.emplace(read, name);
    }
    at->second = term::substitute(pool_, term, names);
  }
  return at->second;
}

/// Puts known values into everything else until there are no new ones. False if
/// the constraints turn out to contradict each other.
bool Solutions::propagate(Terms& constraints, Terms& questions) {
  for (;;) {
    support::sort_unique(constraints);
    term::Substitution known;
    for (const Term literal : constraints) {
      if (literal.is_false()) return false;
      if (const auto value = known_value(pool_, literal)) {
        const auto [at, is_new] = known.insert(*value);
        if (!is_new && at->second != value->second) return false;
      }
    }
    for (const Term literal : constraints) {
      const Term opposite = pool_.negation(literal);
      if (std::ranges::binary_search(constraints, opposite)) return false;
      known.try_emplace(literal, pool_.boolean(true));
      known.try_emplace(opposite, pool_.boolean(false));
    }
    // What says where a variable is becomes true: nothing else mentions it.
    add_distances(pool_, constraints, known);
    term::Substituter put_in(pool_, known);
    for (Term& question : questions) question = put_in(question);
    Terms next;
    bool changed = false;
    for (const Term literal : constraints) {
      // What it says itself is put into all others only.
      Term simpler = literal;
      if (literal.kind() == Kind::Not) {
        simpler = pool_.negation(put_in.below(literal.operand(0)));
      } else if (!known_value(pool_, literal)) {
        simpler = put_in.below(literal);
      }
      changed |= simpler != literal;
      add_conjuncts(simpler, next);
    }
    constraints = std::move(next);
    if (!changed) return true;
  }
}

const Solutions::About& Solutions::about(Term term) {
  const auto [at, is_new] = about_.try_emplace(term);
  if (!is_new) return at->second;
  About& result = at->second;
  const auto is_leaf = [](Term t) {
    return t.kind() == Kind::Variable || t.kind() == Kind::Address;
  };
  const auto is_read = [](Term t) {
    return t.kind() == Kind::Read && t.operand(0).kind() == Kind::Variable;
  };
  term::visit_subterms(term, [&](Term t) {
    if (is_leaf(t)) result.leaves.push_back(t);
    if (is_read(t)) result.reads.push_back(t);
    if (is_read(t)) return;
    for (const Term operand : t.operands()) {
      if (operand.sort().is_array() && is_leaf(operand)) {
        result.whole.push_back(operand);
      }
    }
  });
  if (result.reads.empty()) {
    result.outer = result.leaves;
    return result;
  }
  Terms work{term};
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (is_leaf(work[i])) result.outer.push_back(work[i]);
    const auto operands = work[i].operands();
    for (const Term t : is_read(work[i]) ? operands.first(1) : operands) {
      if (std::ranges::find(work, t) == work.end()) work.push_back(t);
    }
  }
  return result;
}

/// Groups constraints and questions that are connected by variables.
std::vector<Solutions::Part> Solutions::divide(const Terms& constraints,
                                               const Terms& consistent,
                                               const Terms& questions) {
  std::vector<std::size_t> parent;
  const auto find = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::unordered_map<Term, std::size_t> owner;
  const auto add = [&](Term term) {
    const std::size_t item = parent.size();
    parent.push_back(item);
    for (const Term leaf : about(term).leaves) {
      const auto [at, is_new] = owner.try_emplace(leaf, item);
      if (!is_new) parent[find(item)] = find(at->second);
    }
    if (!layers_.slice && item > 0) parent[find(item)] = find(0);
  };
  for (const Term term : constraints) add(term);
  for (const Term term : questions) add(term);

  std::map<std::size_t, Part> parts;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    Part& part = parts[find(i)];
    part.constraints.push_back(constraints[i]);
    part.is_consistent &=
        std::ranges::binary_search(consistent, constraints[i]);
  }
  for (std::size_t i = 0; i < questions.size(); ++i) {
    Part& part = parts[find(constraints.size() + i)];
    part.questions.push_back(questions[i]);
    part.places.push_back(i);
  }
  std::vector<Part> result;
  for (auto& [root, part] : parts) {
    if (part.is_consistent && part.questions.empty()) continue;
    result.push_back(std::move(part));
  }
  return result;
}

const std::vector<Answers>& Solutions::solve(Part& part, std::size_t max_rows) {
  ++context_.statistics()["abstraction.questions"];
  if (!layers_.memo) return last_ = enumerate(part, max_rows);
  support::sort_unique(part.constraints);
  std::vector<std::uint32_t> key;
  key.reserve(part.constraints.size() + part.questions.size() + 1);
  for (const Term term : part.constraints) key.push_back(term.id());
  key.push_back(~std::uint32_t{0});
  for (const Term term : part.questions) key.push_back(term.id());
  const auto known = memo_.find(key);
  if (known != memo_.end()) return known->second;
  const bool was_cut = std::exchange(is_cut_, false);
  std::vector<Answers> rows = enumerate(part, max_rows);
  if (is_cut_) return last_ = std::move(rows);
  is_cut_ = was_cut;  // Of what this is a part of.
  return memo_[std::move(key)] = std::move(rows);
}

std::vector<Answers> Solutions::enumerate(const Part& part,
                                          std::size_t max_rows) {
  if (layers_.reads) {
    Terms constraints = part.constraints;
    Terms questions = part.questions;
    if (flatten(constraints, questions)) {
      return all(constraints, 0, questions, max_rows);
    }
  }
  if (layers_.boundary) {
    if (auto rows = boundary_.solve(part.constraints, part.questions)) {
      ++context_.statistics()["abstraction.boundary_answers"];
      return *std::move(rows);
    }
  }
  ++context_.statistics()["abstraction.enumerations"];
  std::vector<Answers> rows;
  solver_.push();
  for (const Term term : part.constraints) solver_.add(term);
  while (!context_.exhausted()) {
    ++context_.statistics()["solver.calls"];
    const smt::Answer answer = solver_.check();
    if (answer == smt::Answer::Unknown) rows = guess(part);
    if (answer != smt::Answer::Sat) break;
    const term::Assignment model = solver_.model();
    Answers row;
    Terms different;
    for (const Term question : part.questions) {
      row.push_back(term::evaluate(question, model).number != 0);
      different.push_back(row.back() ? pool_.negation(question) : question);
    }
    rows.push_back(std::move(row));
    if (part.questions.empty()) break;
    is_cut_ = rows.size() > max_rows;
    if (is_cut_) break;
    solver_.add(pool_.disjunction(different));
  }
  solver_.pop();
  std::ranges::sort(rows);
  return rows;
}

/// Everything that is not excluded by itself.
std::vector<Answers> Solutions::guess(const Part& part) {
  constexpr std::size_t kMostGuessed = 12;
  if (part.questions.size() > kMostGuessed) {
    has_failed_ = true;
    return {};
  }
  std::vector<Answers> rows{Answers()};
  for (const Term question : part.questions) {
    std::vector<Answers> extended;
    for (const bool answer : {false, true}) {
      if (question.is_constant() && question.is_true() != answer) continue;
      for (Answers row : rows) {
        row.push_back(answer);
        extended.push_back(std::move(row));
      }
    }
    rows = std::move(extended);
  }
  return rows;
}

}  // namespace agon::abstraction
