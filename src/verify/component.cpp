// SPDX-License-Identifier: Apache-2.0
#include "verify/component.h"

#include <stdexcept>

#include "ir/print.h"
#include "support/sort_unique.h"
#include "verify/counterexample.h"
#include "verify/mathematical.h"
#include "verify/readable.h"
#include "verify/start.h"

namespace agon::verify {

namespace {

/// What the solver may count in a search for invariants before it is broken
/// off: a quarter of a second, which is enough for most.
constexpr std::uint64_t kFirstSearch = 2'000'000;

}  // namespace

Component::Component(const Task& task, const Options& options,
                     abstraction::BlockMode mode, smt::Solver& solver,
                     support::Context& context)
    : task_(task),
      solver_(solver),
      context_(context),
      blocks_(task.program, task.entry, mode),
      execution_(blocks_),
      solutions_(*task.program.pool, solver, context, options.layers),
      steps_(blocks_, execution_, solutions_),
      start_(start_of(task.program)),
      outside_(task.program, task.entry),
      layout_{task.mathematical != nullptr
                  ? interpreter_layout(*task.mathematical)
                  : interpreter_layout(task.program, task.entry),
              [this](term::Term t) { return outside_.contains(t); }},
      refiner_(steps_, solutions_, solver, start_, options.refinement,
               context) {
  solver_.push();
  for (const term::Term axiom : layout_axioms(task.program, task.entry)) {
    solver_.add(axiom);
  }
}

Component::~Component() { solver_.pop(); }

bool Component::takes_up_postponed() {
  if (solver_.num_postponed() == num_postponed_) return false;
  num_postponed_ = solver_.num_postponed();
  forget_steps();
  return true;
}

refine::Feasibility Component::decide(const refine::Play& play) {
  ++context_.statistics()["solver.calls"];
  return refine::decide(play, steps_, start_, layout_, solver_);
}

bool Component::can_start(const term::Assignment& initial) {
  term::Pool& pool = *task_.program.pool;
  solver_.push();
  for (const term::Term place : layout_.places) solver_.add(place);
  for (const auto& [variable, value] : initial) {
    const auto number = static_cast<term::Bits>(value.number);
    solver_.add(pool.equal(
        variable, value.sort.is_bool() ? pool.boolean(number != 0)
                                       : pool.bits(number, value.sort.width)));
  }
  const bool result = solver_.check() == smt::Answer::Sat;
  solver_.pop();
  return result;
}

std::optional<std::string> Component::doubt(
    const refine::Feasibility& found) const {
  if (task_.mathematical != nullptr) return problem_on_machine(task_, found);
  if (const auto problem = replay(task_, blocks_, found)) {
    throw std::logic_error("a counterexample cannot be replayed: " + *problem);
  }
  if (const auto doubt = uncertain_step(task_, found)) {
    return "the counterexample depends on " + *doubt;
  }
  return std::nullopt;
}

bool Component::strengthen() {
  context_.progress("looking for invariants");
  if (!search_) {
    const std::vector<term::Term> predicates = refiner_.precision().distinct();
    search_.emplace(steps_, start_, predicates, solver_, context_);
    search_resources_ = kFirstSearch;
  }
  if (!search_->go_on(search_resources_)) {
    search_resources_ *= 2;
    return false;
  }
  if (auto facts = search_->facts(); !facts.empty()) {
    steps_.know(std::move(facts));
  }
  search_.reset();
  return true;
}

namespace {

std::vector<std::string> as_c(const std::vector<term::Term>& terms,
                              const ir::Program& program) {
  const term::CStyle style = ir::c_style(program);
  std::vector<std::string> result;
  for (const term::Term t : terms) result.push_back(formula_text(t, style));
  return result;
}

}  // namespace

std::vector<std::string> Component::predicates() const {
  return as_c(refiner_.precision().distinct(), task_.program);
}

std::vector<std::string> Component::invariants() const {
  std::vector<term::Term> all;
  for (const abstraction::Block& block : blocks_.all()) {
    const std::vector<term::Term>& here = steps_.facts(block.start);
    all.insert(all.end(), here.begin(), here.end());
  }
  support::sort_unique(all);
  return as_c(all, task_.program);
}

}  // namespace agon::verify
