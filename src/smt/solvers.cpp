// SPDX-License-Identifier: Apache-2.0
#include "smt/solvers.h"

#include <algorithm>
#include <utility>

#include "smt/limited_solver.h"
#include "smt/patient_solver.h"
#include "smt/process_solver.h"
#include "smt/validating_solver.h"
#include "support/error.h"
#include "support/suggest.h"

namespace agon::smt {
namespace {

void check_name(const std::string& name) {
  const std::vector<std::string> names = solver_names();
  if (std::ranges::find(names, name) != names.end()) return;
  throw support::InputError("there is no solver '" + name + "'" +
                            support::did_you_mean(name, names));
}

}  // namespace

std::vector<std::string> solver_names() { return {"z3", "cvc5"}; }

SolverFactory::SolverFactory(term::Pool& pool, const SolverOptions& options)
    : pool_(pool),
      options_(options),
      terms_(make_z3_terms()),
      cache_(make_query_cache()) {
  check_name(options.name);
}

std::unique_ptr<Solver> SolverFactory::make(bool one_shot) {
  std::unique_ptr<Solver> solver;
  if (options_.name == "z3") {
    solver = make_z3_solver({.one_shot = one_shot}, terms_);
    if (options_.is_patient && !one_shot) {
      solver = make_patient_solver(std::move(solver),
                                   make_z3_solver({.one_shot = true}, terms_));
    }
  } else {
    solver = make_process_solver(pool_, cvc5_process());
  }
  if (options_.cache) solver = make_caching_solver(std::move(solver), cache_);
  if (options_.context != nullptr) {
    solver = make_limited_solver(std::move(solver), *options_.context);
  }
  if (options_.validate) solver = make_validating_solver(std::move(solver));
  return solver;
}

}  // namespace agon::smt
