// SPDX-License-Identifier: Apache-2.0
#include "refine/feasibility.h"

#include <fmt/format.h>

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
  void ask(Feasibility& result) {
    const std::vector<Term> places = all_places();
    solver_.push();
    for (const Term place : places) solver_.add(place);
    result.answer = solver_.check();
    if (result.answer == smt::Answer::Sat) {
      model_ = solver_.model();
      prefer_places();
    }
    if (result.answer == smt::Answer::Unknown) result.reason = solver_.reason();
    solver_.pop();
    if (result.answer != smt::Answer::Unsat || places.empty()) return;
    result.answer = solver_.check();
    if (result.answer != smt::Answer::Unsat) {
      result.answer = smt::Answer::Unknown;
      result.reason = "it depends on where objects lie in memory";
    }
  }

  /// Looks for a model in which pointers from outside are null or lie where a
  /// process can have memory, pointers to different types apart: then it can be
  /// shown with a compiled program. It is a wish, and costs little.
  void prefer_places() {
    std::vector<Term> wishes;
    for (const Term wish : wished_places()) {
      if (term::evaluate(wish, model_).number == 0) wishes.push_back(wish);
    }
    if (wishes.empty() || wishes.size() > kMostWishes) return;
    const std::vector<Term> all = wished_places();
    solver_.push();
    for (const Term wish : all) solver_.add(wish);
    const bool is_possible = solver_.check() == smt::Answer::Sat;
    if (is_possible) model_ = solver_.model();
    solver_.pop();
    if (is_possible) return;
    solver_.push();
    for (const Term wish : wishes) {
      solver_.push();
      solver_.add(wish);
      const bool holds = solver_.check() == smt::Answer::Sat;
      if (holds) model_ = solver_.model();
      solver_.pop();
      if (holds) solver_.add(wish);
    }
    solver_.pop();
  }

  std::vector<Term> wished_places() {
    std::map<Term, std::uint64_t> pointers;  // With the place of their type.
    const unsigned width = program_.pointer_width();
    const auto note = [&](Term t, ir::VariableId variable) {
      if (!t.sort().is_bits() || t.width() != width) return;
      const ir::TypeId type = program_[variable].type;
      if (!type.valid() || program_.types[type].kind != ir::TypeKind::Pointer ||
          program_[variable].initial.valid()) {
        return;
      }
      const ir::TypeId to = program_.types[type].element;
      pointers[t] = to.valid() ? to.index() % kTypes : 0;
    };
    for (const Term constraint : constraints_) {
      term::visit_subterms(constraint, [&](Term t) {
        if (t.kind() != term::Kind::Variable) return;
        const ir::VariableId variable = program_.variable_of(t);
        if (variable.valid()) note(t, variable);
      });
    }
    for (const auto& [where, t] : choices_) {
      const ir::Edge& edge = steps_.blocks().body().edge(where.second);
      note(t, std::get<ir::Havoc>(edge.statement).target);
    }
    std::vector<Term> result;
    for (const auto& [pointer, type] : pointers) {
      const std::uint64_t first = kFirstPlace + type * kTypeBytes;
      result.push_back(pool_.disjunction(
          {pool_.equal(pointer, pool_.bits(0, width)),
           pool_.conjunction(
               {pool_.negation(
                    pool_.unsigned_less(pointer, pool_.bits(first, width))),
                pool_.unsigned_less(pointer,
                                    pool_.bits(first + kTypeBytes, width)),
                pool_.equal(pool_.bit_and(pointer, pool_.bits(15, width)),
                            pool_.bits(0, width))})}));
    }
    return result;
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
