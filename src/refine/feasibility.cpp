// SPDX-License-Identifier: Apache-2.0
#include "refine/feasibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "refine/walk.h"
#include "term/evaluate.h"
#include "term/substitute.h"

namespace agon::refine {
namespace {

using abstraction::Values;
using term::Term;

class Decision {
 public:
  Decision(const Play& play, abstraction::AbstractSteps& steps,
           const abstraction::Start& start, const Layout& layout,
           smt::Solver& solver)
      : play_(play),
        steps_(steps),
        start_(start),
        layout_(layout),
        solver_(solver),
        program_(steps.blocks().program()),
        pool_(*program_.pool),
        before_(play.nodes.size()) {}

  Feasibility run() {
    Feasibility result;
    constraints_ = start_.constraints;
    before_[0] = start_.values;
    for (std::size_t i = 0; i < play_.nodes.size(); ++i) {
      if (!add_step(i)) {
        result.answer = smt::Answer::Unsat;
        return result;
      }
    }
    solver_.push();
    for (const Term constraint : constraints_) solver_.add(constraint);
    ask(result);
    solver_.pop();
    if (result.answer == smt::Answer::Sat) execute(result);
    return result;
  }

 private:
  /// Conditions of which one is to hold, the best one first.
  using Wish = std::vector<Term>;

  void ask(Feasibility& result) {
    // Most plays are possible nowhere.
    result.answer = solver_.check();
    if (result.answer == smt::Answer::Unsat) return;
    solver_.push();
    for (const Term place : all_places()) solver_.add(place);
    result.answer = solver_.check();
    if (result.answer == smt::Answer::Sat) {
      model_ = solver_.model();
      prefer_usual();
    } else if (result.answer == smt::Answer::Unknown) {
      result.reason = solver_.reason();
    } else {
      result.answer = smt::Answer::Unknown;
      result.reason = "it depends on where objects lie in memory";
    }
    solver_.pop();
  }

  /// Looks for a model in which pointers from outside lie where a process can
  /// have memory, pointers to different types apart, or else are null, and in
  /// which what is uninitialised is 0: then it can be shown with a compiled
  /// program. It is a wish, and costs little.
  void prefer_usual() {
    std::vector<Wish> wishes = wished_places();
    add_wished_values(wishes);
    const bool is_granted = std::ranges::all_of(wishes, [&](const Wish& wish) {
      return term::evaluate(wish.front(), model_).number != 0;
    });
    if (is_granted) return;
    solver_.push();
    for (const Wish& wish : wishes) solver_.add(wish.front());
    const bool is_possible = solver_.check() == smt::Answer::Sat;
    if (is_possible) model_ = solver_.model();
    solver_.pop();
    if (is_possible || wishes.size() > kMostWishes) return;
    solver_.push();
    for (const Wish& wish : wishes) grant(wish);
    solver_.pop();
  }

  /// Adds the best that is possible.
  void grant(const Wish& wish) {
    for (const Term each : wish) {
      solver_.push();
      solver_.add(each);
      const bool holds = solver_.check() == smt::Answer::Sat;
      if (holds) model_ = solver_.model();
      solver_.pop();
      if (!holds) continue;
      solver_.add(each);
      return;
    }
  }

  std::vector<Wish> wished_places() {
    std::map<Term, std::uint64_t> pointers;  // With the place of their type.
    for (const Term constraint : constraints_) {
      term::visit_subterms(constraint, [&](Term t) {
        if (t.kind() == term::Kind::Variable) {
          const ir::VariableId variable = program_.variable_of(t);
          if (variable.valid()) note_pointer(t, variable, pointers);
        } else if (t.kind() == term::Kind::Read) {
          note_pointers_in(t.operand(1), pointers);
        }
      });
    }
    for (const auto& [where, t] : choices_) {
      const ir::Havoc& havoc = choice_at(where.second);
      if (havoc.reason == ir::HavocReason::Uninitialised) continue;
      note_pointer(t, havoc.target, pointers);
    }
    std::vector<Wish> result;
    for (const auto& [pointer, type] : pointers) {
      const std::uint64_t first = kFirstPlace + type * kTypeBytes;
      const Term is_apart = is_between(pointer, first, first + kTypeBytes);
      const Term is_null = pool_.equal(pointer, pool_.bits(0, pointer.width()));
      result.push_back({is_apart,
                        is_between(pointer, kFirstPlace,
                                   kFirstPlace + 2 * kTypes * kTypeBytes),
                        is_null});
    }
    return result;
  }

  void add_wished_values(std::vector<Wish>& wishes) const {
    for (const auto& [where, t] : choices_) {
      if (choice_at(where.second).reason != ir::HavocReason::Uninitialised ||
          !t.sort().is_bits()) {
        continue;
      }
      wishes.push_back({pool_.equal(t, pool_.bits(0, t.width()))});
    }
  }

  const ir::Havoc& choice_at(ir::EdgeId edge) const {
    return std::get<ir::Havoc>(steps_.blocks().body().edge(edge).statement);
  }

  bool is_as_wide(Term t) const {
    return t.sort().is_bits() && t.width() == program_.pointer_width();
  }

  void note_pointer(Term t, ir::VariableId variable,
                    std::map<Term, std::uint64_t>& pointers) const {
    const ir::TypeId type = program_[variable].type;
    if (!is_as_wide(t) || !type.valid() ||
        program_.types[type].kind != ir::TypeKind::Pointer ||
        program_[variable].initial.valid()) {
      return;
    }
    const ir::TypeId to = program_.types[type].element;
    pointers[t] = to.valid() ? to.index() % kTypes : 0;
  }

  /// What was found in memory and is used as an address.
  void note_pointers_in(Term address,
                        std::map<Term, std::uint64_t>& pointers) const {
    term::visit_subterms(address, [&](Term t) {
      if (t.kind() == term::Kind::Read && is_as_wide(t) &&
          t.operand(0).kind() == term::Kind::Variable) {
        pointers.try_emplace(t, kTypes + t.operand(0).id() % kTypes);
      }
    });
  }

  Term is_between(Term pointer, std::uint64_t first, std::uint64_t end) const {
    const unsigned width = pointer.width();
    return pool_.conjunction(
        {pool_.negation(pool_.unsigned_less(pointer, pool_.bits(first, width))),
         pool_.unsigned_less(pointer, pool_.bits(end, width)),
         pool_.equal(pool_.bit_and(pointer, pool_.bits(15, width)),
                     pool_.bits(0, width))});
  }

  std::vector<Term> all_places() const {
    std::vector<Term> result = layout_.places;
    if (!layout_.from_outside) return result;
    const auto look = [&](Term t) {
      if (t.kind() != term::Kind::Read) return;
      Term array = t.operand(0);
      while (array.kind() == term::Kind::Write ||
             array.kind() == term::Kind::Copy) {
        array = array.operand(0);
      }
      if (array.kind() != term::Kind::Variable || !t.sort().is_bits()) return;
      const Term place = layout_.from_outside(pool_.read(
          array, t.operand(1), t.width() / array.sort().element().width));
      if (place.valid()) result.push_back(place);
    };
    for (const Term constraint : constraints_) {
      term::visit_subterms(constraint, look);
    }
    return result;
  }

  Term choice(std::size_t node, ir::EdgeId edge) {
    Term& known = choices_[{node, edge}];
    if (!known.valid()) {
      const auto& havoc =
          std::get<ir::Havoc>(steps_.blocks().body().edge(edge).statement);
      known = pool_.fresh("choice", program_[havoc.target].term.sort());
    }
    return known;
  }

  /// False if the step is impossible whatever the inputs are.
  bool add_step(std::size_t i) {
    const Play::Node& node = play_.nodes[i];
    const auto exits = steps_.execution().run(
        node.cut, before_[i], [&](ir::EdgeId edge) { return choice(i, edge); },
        node.exit);
    if (exits.empty()) return false;
    constraints_.insert(constraints_.end(), exits.front().guard.begin(),
                        exits.front().guard.end());
    for (const std::uint32_t child : node.children) {
      before_[child] = exits.front().values;
    }
    return true;
  }

  void execute(Feasibility& result) {
    for (const ir::Variable& variable : program_.variables) {
      if (const auto at = model_.find(variable.term); at != model_.end()) {
        result.initial.insert(*at);
      }
    }
    paths_.resize(play_.nodes.size());
    for (std::size_t i = 0; i < play_.nodes.size(); ++i) {
      run_step(i);
      const auto& children = play_.nodes[i].children;
      if (children.empty()) {
        result.executions.push_back(std::move(paths_[i]));
        continue;
      }
      for (std::size_t k = 1; k < children.size(); ++k) {
        paths_[children[k]] = paths_[i];
      }
      paths_[children.front()] = std::move(paths_[i]);
    }
  }

  void run_step(std::size_t i) {
    const Play::Node& node = play_.nodes[i];
    const auto chosen = [&](ir::EdgeId edge) { return choice(i, edge); };
    for (const WalkStep& step :
         walk(steps_, node.cut, node.exit, before_[i], chosen, model_)) {
      Execution::Step done{step.edge, std::nullopt};
      if (step.value.valid() && is_known(step.edge)) {
        done.value = term::evaluate(step.value, model_);
      }
      paths_[i].steps.push_back(std::move(done));
    }
  }

  /// What is assigned and never used may come from what was forgotten.
  bool is_known(ir::EdgeId id) const {
    const ir::Edge& edge = steps_.blocks().body().edge(id);
    const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
    return assign == nullptr ||
           steps_.execution().liveness().is_live(edge.to, assign->target);
  }

  static constexpr std::uint64_t kFirstPlace = 0x1000'0000;
  static constexpr std::uint64_t kTypeBytes = 0x10'0000;
  static constexpr std::uint64_t kTypes = 128;
  static constexpr std::size_t kMostWishes = 24;

  const Play& play_;
  abstraction::AbstractSteps& steps_;
  const abstraction::Start& start_;
  const Layout& layout_;
  smt::Solver& solver_;
  const ir::Program& program_;
  term::Pool& pool_;
  std::vector<Values> before_;  // By node.
  std::vector<Execution> paths_;
  std::vector<Term> constraints_;
  std::map<std::pair<std::size_t, ir::EdgeId>, Term> choices_;
  term::Assignment model_;
};

}  // namespace

Feasibility decide(const Play& play, abstraction::AbstractSteps& steps,
                   const abstraction::Start& start, const Layout& layout,
                   smt::Solver& solver) {
  return Decision(play, steps, start, layout, solver).run();
}

}  // namespace agon::refine
