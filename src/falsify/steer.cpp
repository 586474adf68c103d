// SPDX-License-Identifier: Apache-2.0
#include "falsify/steer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "falsify/conjuncts.h"

// For all states, there is a value: the quantifier is replaced by candidates,
// which are what the target is compared with, and one more or less. Where none
// of them leads to `to`, the solver shows a state, and a value for it becomes a
// candidate too.

namespace agon::falsify {
namespace {

using smt::Answer;
using term::Kind;
using term::Term;

constexpr std::size_t kRounds = 4;

bool mentions(Term term, Term variable) {
  const auto variables = term::variables_of(term);
  return std::ranges::find(variables, variable) != variables.end();
}

class Steering {
 public:
  Steering(term::Pool& pool, smt::Solver& solver, support::Context& context,
           Term from, Term target, Term to)
      : pool_(pool),
        solver_(solver),
        context_(context),
        from_(from),
        target_(target) {
    // What is known before and does not speak about the target stays true.
    const auto known = conjuncts(from_);
    std::vector<Term> open;
    for (const Term part : conjuncts(to)) {
      const bool stays = std::ranges::find(known, part) != known.end() &&
                         !mentions(part, target);
      if (!stays) open.push_back(part);
    }
    goal_ = pool_.conjunction(open);
  }

  std::vector<Term> run() {
    collect_candidates();
    for (const Term value : candidates_) {
      if (leads(value).is_true()) return {value};
    }
    for (std::size_t round = 0; round < kRounds; ++round) {
      const Answer answer = find_counterexample();
      if (answer == Answer::Unsat) return used_;
      if (answer == Answer::Unknown || !learn()) return {};
    }
    return {};
  }

 private:
  Term leads(Term value) {
    return term::substitute(pool_, goal_, {{target_, value}});
  }

  void add_candidate(Term value) {
    if (std::ranges::find(candidates_, value) == candidates_.end()) {
      candidates_.push_back(value);
    }
  }

  void collect_candidates() {
    const term::Sort sort = target_.sort();
    if (sort.is_bool()) {
      candidates_ = {pool_.boolean(false), pool_.boolean(true)};
      return;
    }
    const Term one = pool_.bits(1, sort.width);
    add_candidate(pool_.bits(0, sort.width));
    add_candidate(one);
    add_candidate(pool_.bits(~term::Bits{0}, sort.width));
    std::set<Term> compared;
    term::visit_subterms(goal_, [&](Term atom) {
      if (!atom.sort().is_bool() || atom.operands().size() != 2) return;
      for (const std::size_t side : {0, 1}) {
        const Term other = atom.operand(1 - side);
        if (atom.operand(side) == target_ && !mentions(other, target_)) {
          compared.insert(other);
        }
      }
    });
    for (const Term bound : compared) {
      add_candidate(bound);
      add_candidate(pool_.add(bound, one));
      add_candidate(pool_.subtract(bound, one));
    }
    // Small numbers first: loops then have few rounds. Without a sign, those
    // below zero are the greatest.
    std::ranges::stable_sort(candidates_, {}, [](Term value) {
      if (!value.is_constant()) return std::pair(false, term::Bits{1});
      const auto number = term::as_signed(value.value(), value.width());
      const bool is_negative = number < 0;
      return std::pair(is_negative,
                       static_cast<term::Bits>(is_negative ? -number : number));
    });
  }

  /// A state from which no candidate leads to the goal.
  Answer find_counterexample() {
    used_ = candidates_;
    std::vector<Term> question{from_};
    for (const Term value : candidates_) {
      question.push_back(pool_.negation(leads(value)));
    }
    ++context_.statistics()["solver.calls"];
    const Answer answer = solver_.check(question);
    if (answer == Answer::Sat) state_ = solver_.model();
    return answer;
  }

  /// A value that leads to the goal from there; false if there is none.
  bool learn() {
    term::Substitution state;
    for (const auto& [variable, value] : state_) {
      if (variable == target_ || variable.kind() != Kind::Variable) continue;
      if (value.sort.is_array()) continue;
      state.emplace(variable, constant(value));
    }
    const Term question[] = {term::substitute(pool_, goal_, state)};
    ++context_.statistics()["solver.calls"];
    if (solver_.check(question) != Answer::Sat) return false;
    const term::Assignment model = solver_.model();
    const auto found = model.find(target_);
    if (found == model.end()) return false;
    const std::size_t before = candidates_.size();
    add_candidate(constant(found->second));
    return candidates_.size() > before;
  }

  Term constant(const term::Value& value) {
    if (value.sort.is_bool()) return pool_.boolean(value.number != 0);
    return pool_.bits(static_cast<term::Bits>(value.number), value.sort.width);
  }

  term::Pool& pool_;
  smt::Solver& solver_;
  support::Context& context_;
  Term from_;
  Term target_;
  Term goal_;
  std::vector<Term> candidates_;
  std::vector<Term> used_;
  term::Assignment state_;
};

}  // namespace

std::vector<Term> steer(term::Pool& pool, smt::Solver& solver,
                        support::Context& context, Term from, Term target,
                        Term to) {
  return Steering(pool, solver, context, from, target, to).run();
}

}  // namespace agon::falsify
