// SPDX-License-Identifier: Apache-2.0
/// A random program with all that is needed to decide plays of it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "smt/z3_solver.h"
#include "unit/refine/random_play.h"

namespace agon::test {

class Subject {
 public:
  /// Starts where `begin` says.
  Subject(ir::Program made, abstraction::BlockMode mode,
          abstraction::Start begin)
      : program(std::move(made)),
        blocks(program, ir::FunctionId(0), mode),
        solver(smt::make_z3_solver()),
        start(std::move(begin)),
        execution(blocks),
        solutions(*program.pool, *solver, context_),
        steps(blocks, execution, solutions) {}

  /// Starts where some variables have some values.
  Subject(ir::Program made, abstraction::BlockMode mode, Random& random)
      : Subject(std::move(made), mode, abstraction::Start()) {
    for (const term::Term v : variables_of(program)) {
      const term::Term constant = program.pool->bits(random(), v.width());
      if (below(random, 4) == 0) {
        start.values.set(program.variable_of(v), constant);
      } else if (below(random, 4) == 0) {
        start.constraints.push_back(program.pool->unsigned_less(constant, v));
      }
    }
    for (const term::Assignment& state :
         all_assignments(variables_of(program))) {
      if (may_start(state)) starts.push_back(state);
    }
  }

  bool may_start(const term::Assignment& state) const {
    for (const auto& [variable, value] : start.values.entries()) {
      if (!(state.at(program[variable].term) == term::evaluate(value, state))) {
        return false;
      }
    }
    return hold(start.constraints, state);
  }

  ir::Program program;
  abstraction::Blocks blocks;
  std::unique_ptr<smt::Solver> solver;
  abstraction::Start start;
  std::vector<term::Assignment> starts;  ///< All states that it may start in.

 private:
  support::Context context_;

 public:
  abstraction::SymbolicExecution execution;
  abstraction::Solutions solutions;
  abstraction::AbstractSteps steps;
};

inline std::unique_ptr<Subject> random_subject(Random& random, std::size_t i) {
  BodyShape shape;
  shape.locations = 4 + static_cast<unsigned>(below(random, 8));
  shape.depth = static_cast<unsigned>(below(random, 2));
  shape.loops = i % 2 == 0;
  return std::make_unique<Subject>(RandomBody(random, shape).build(),
                                   i % 5 == 0 ? abstraction::BlockMode::Single
                                              : abstraction::BlockMode::Large,
                                   random);
}

}  // namespace agon::test
