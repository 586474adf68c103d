// SPDX-License-Identifier: Apache-2.0
#include "abstraction/invariants.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "abstraction/candidates.h"
#include "abstraction/sampling.h"
#include "support/broken.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::abstraction {

// Houdini (Flanagan and Leino, FME 2001). All candidates are assumed at the
// start of each block; those that fail at its end in some model go. What is
// left in the end is the largest inductive set among the candidates: true at
// the start of the program, and kept by every block. One model refutes many
// candidates, so that few queries are needed.

using term::Kind;
using term::Term;

namespace {

using Terms = std::vector<Term>;

constexpr std::size_t kMostPlaces = 8;
constexpr std::size_t kMostPredicates = 24;
constexpr std::size_t kMostQueries = 2000;

bool is_place(Term t) {
  const bool is_named = t.kind() == Kind::Variable || t.kind() == Kind::Read;
  const unsigned width = t.sort().is_bits() ? t.width() : 0;
  return is_named && width >= 2 && width <= 64;
}

}  // namespace

class InvariantSearch::Houdini {
 public:
  Houdini(AbstractSteps& steps, const Start& start, smt::Solver& solver,
          support::Context& context, std::vector<Terms> facts)
      : steps_(steps),
        start_(start),
        solver_(solver),
        context_(context),
        pool_(*steps.blocks().program().pool),
        facts_(std::move(facts)) {}

  /// Whether it has come to an end. What was left in the middle of is done
  /// again the next time.
  bool run(std::uint64_t resources) {
    most_spent_ = solver_.spent() + resources;
    if (!has_entered_) enter();
    while (!queue_.empty() && !is_over()) {
      const ir::LocationId cut = queue_.front();
      queue_.pop_front();
      check_from(cut, {}, facts_[cut.index()]);
      if (is_over()) enqueue(cut);
    }
    return is_given_up() || (has_entered_ && queue_.empty());
  }

  std::vector<Terms> facts() && {
    return is_given_up() ? std::vector<Terms>() : std::move(facts_);
  }

 private:
  bool is_given_up() {
    return queries_ >= kMostQueries || context_.exhausted().has_value();
  }

  bool is_over() { return is_given_up() || solver_.spent() > most_spent_; }

  void enter() {
    const ir::LocationId entry = steps_.blocks().body().entry();
    const Exit start{{}, start_.constraints, start_.values};
    while (!is_over() && drop_refuted({}, start, entry)) continue;
    check_from(entry, start_.values, start_.constraints);
    if (is_over()) return;
    has_entered_ = true;
    for (const Block& block : steps_.blocks().all()) enqueue(block.start);
  }

  void enqueue(ir::LocationId cut) {
    if (std::ranges::count(queue_, cut) == 0) queue_.push_back(cut);
  }

  // By value: the facts may be those that are dropped.
  void check_from(ir::LocationId cut, const Values& start, Terms known) {
    for (const Exit& exit : steps_.exits(cut, start)) {
      const ir::LocationId target = steps_.blocks().body().edge(exit.edge).to;
      if (!steps_.blocks().is_cut(target)) continue;
      while (!is_over() && drop_refuted(known, exit, target)) {
        enqueue(target);
        if (target == cut && &start != &start_.values)
          known = facts_[cut.index()];
      }
    }
  }

  /// Drops what one model refutes; false if there is none.
  bool drop_refuted(const Terms& known, const Exit& exit,
                    ir::LocationId target) {
    Terms& facts = facts_[target.index()];
    Terms after;
    Terms wrong;
    for (const Term fact : facts) {
      after.push_back(steps_.execution().rewriter()(fact, exit.values));
      if (!after.back().is_true())
        wrong.push_back(pool_.negation(after.back()));
    }
    if (wrong.empty() || support::is_broken("invariants")) return false;
    solver_.push();
    for (const Term t : known) solver_.add(t);
    for (const Term t : exit.guard) solver_.add(t);
    solver_.add(pool_.disjunction(wrong));
    const smt::Answer answer = ask();
    Terms kept;
    if (answer == smt::Answer::Sat) {
      const term::Assignment model = solver_.model();
      for (std::size_t i = 0; i < facts.size(); ++i) {
        const bool holds = term::evaluate(after[i], model).number != 0;
        if (holds) kept.push_back(facts[i]);
      }
      if (kept.size() == facts.size()) kept.clear();
    }
    solver_.pop();
    if (answer == smt::Answer::Unsat) return false;
    facts = std::move(kept);
    return true;
  }

  smt::Answer ask() {
    ++queries_;
    ++context_.statistics()["solver.calls"];
    return solver_.check();
  }

  AbstractSteps& steps_;
  const Start& start_;
  smt::Solver& solver_;
  support::Context& context_;
  term::Pool& pool_;
  std::vector<Terms> facts_;
  std::deque<ir::LocationId> queue_;
  bool has_entered_ = false;
  std::uint64_t most_spent_ = 0;
  std::size_t queries_ = 0;
};

namespace {

/// Guesses what may be true.
class Guesses {
 public:
  Guesses(AbstractSteps& steps, const Start& start,
          std::span<const Term> predicates, smt::Solver& solver,
          support::Context& context)
      : steps_(steps),
        start_(start),
        predicates_(predicates),
        solver_(solver),
        context_(context),
        program_(steps.blocks().program()),
        pool_(*program_.pool),
        num_locations_(steps.blocks().body().num_locations()) {}

  /// By location.
  std::vector<Terms> run() {
    std::vector<Terms> facts(num_locations_);
    const std::vector<Places> places = find_places();
    const auto samples = sample(steps_, start_, places, solver_, context_);
    const auto constants = constants_of(steps_.blocks().body());
    for (const Block& block : steps_.blocks().all()) {
      const std::size_t at = block.start.index();
      facts[at] = candidates(pool_, places[at], signs_of(places[at]),
                             samples[at], constants);
      add_predicates(block.start, facts[at]);
    }
    return facts;
  }

 private:
  bool is_live(Term t, ir::LocationId at) const {
    return std::ranges::all_of(term::variables_of(t), [&](Term variable) {
      const ir::VariableId id = program_.variable_of(variable);
      return id.valid() && steps_.execution().liveness().is_live(at, id);
    });
  }

  /// What predicates and branches look at, and what that is computed from.
  Terms places_of_interest() const {
    Terms found;
    const auto add = [&](Term formula) {
      term::visit_subterms(formula, [&](Term t) {
        if (is_place(t) && std::ranges::count(found, t) == 0) {
          found.push_back(t);
        }
      });
    };
    for (const Term predicate : predicates_) add(predicate);
    const auto edges = steps_.blocks().body().edges();
    for (const ir::Edge& edge : edges) {
      const auto* const test = std::get_if<ir::Assume>(&edge.statement);
      if (test != nullptr) add(test->condition);
    }
    for (const ir::Edge& edge : edges) {
      const auto* const set = std::get_if<ir::Assign>(&edge.statement);
      if (set == nullptr) continue;
      const Term target = program_[set->target].term;
      if (std::ranges::count(found, target) > 0) add(set->value);
    }
    return found;
  }

  std::vector<Places> find_places() const {
    std::vector<Places> result(num_locations_);
    const Terms all = places_of_interest();
    for (const Block& block : steps_.blocks().all()) {
      Places& here = result[block.start.index()];
      for (const Term place : all) {
        if (here.size() < kMostPlaces && is_live(place, block.start)) {
          here.push_back(place);
        }
      }
    }
    return result;
  }

  std::vector<bool> signs_of(const Places& places) const {
    std::vector<bool> result;
    for (const Term place : places) {
      const ir::VariableId id = program_.variable_of(place);
      const bool has_type = id.valid() && program_[id].type.valid();
      result.push_back(!has_type ||
                       program_.types[program_[id].type].is_signed);
    }
    return result;
  }

  void add_predicates(ir::LocationId at, Terms& to) {
    std::size_t added = 0;
    for (const Term predicate : predicates_) {
      if (added == kMostPredicates) break;
      if (!is_live(predicate, at)) continue;
      ++added;
      to.push_back(predicate);
      to.push_back(pool_.negation(predicate));
    }
    support::sort_unique(to);
  }

  AbstractSteps& steps_;
  const Start& start_;
  std::span<const Term> predicates_;
  smt::Solver& solver_;
  support::Context& context_;
  const ir::Program& program_;
  term::Pool& pool_;
  std::size_t num_locations_;
};

/// Equations stay before inequalities: they make the others shorter.
void leave_out_consequences(Terms& facts, term::Pool& pool, smt::Solver& solver,
                            support::Context& context) {
  std::ranges::stable_partition(facts,
                                [](Term t) { return t.kind() == Kind::Equal; });
  for (std::size_t i = facts.size(); i-- > 0;) {
    solver.push();
    for (std::size_t j = 0; j < facts.size(); ++j) {
      solver.add(j == i ? pool.negation(facts[j]) : facts[j]);
    }
    ++context.statistics()["solver.calls"];
    const bool follows = solver.check() == smt::Answer::Unsat;
    solver.pop();
    if (follows) facts.erase(facts.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

InvariantSearch::InvariantSearch(AbstractSteps& steps, const Start& start,
                                 std::span<const Term> predicates,
                                 smt::Solver& solver, support::Context& context)
    : pool_(*steps.blocks().program().pool),
      solver_(solver),
      context_(context),
      houdini_(std::make_unique<Houdini>(
          steps, start, solver, context,
          Guesses(steps, start, predicates, solver, context).run())) {}

InvariantSearch::~InvariantSearch() = default;

bool InvariantSearch::go_on(std::uint64_t resources) {
  return houdini_->run(resources);
}

std::vector<Terms> InvariantSearch::facts() {
  std::vector<Terms> facts = std::move(*houdini_).facts();
  for (Terms& each : facts)
    leave_out_consequences(each, pool_, solver_, context_);
  return facts;
}

namespace {

/// Which variables are only copies of what is there from the start.
class Copies {
 public:
  explicit Copies(const Blocks& blocks) {
    for (const ir::Edge& edge : blocks.body().edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        values_[blocks.program()[assign->target].term].push_back(assign->value);
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
        known_[blocks.program()[havoc->target].term] = false;
      }
    }
  }

  bool are_all(Term term) {
    return std::ranges::all_of(term::variables_of(term),
                               [&](Term v) { return is_copy(v); });
  }

 private:
  bool is_copy(Term variable) {
    const auto [at, is_new] = known_.try_emplace(variable, false);
    if (!is_new) return at->second;  // In a cycle, it changes.
    const auto found = values_.find(variable);
    const bool result =
        found == values_.end() ||
        std::ranges::all_of(found->second, [&](Term t) { return are_all(t); });
    return known_[variable] = result;
  }

  std::unordered_map<Term, Terms> values_;
  std::unordered_map<Term, bool> known_;
};

}  // namespace

bool seem_to_diverge(const Blocks& blocks, std::span<const Term> predicates) {
  Copies copies(blocks);
  return std::ranges::any_of(predicates, [&](Term predicate) {
    bool found = false;
    term::visit_subterms(predicate, [&](Term t) {
      const bool is_arithmetic = t.kind() == Kind::Add ||
                                 t.kind() == Kind::Multiply ||
                                 t.kind() == Kind::Subtract;
      found |= is_arithmetic && !copies.are_all(t);
    });
    return found;
  });
}

}  // namespace agon::abstraction
