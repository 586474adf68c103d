// SPDX-License-Identifier: Apache-2.0
/// Solvers by name, with their decorators.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "smt/caching_solver.h"
#include "smt/solver.h"
#include "smt/z3_solver.h"
#include "support/context.h"

namespace agon::smt {

/// The names that SolverOptions::name can have.
std::vector<std::string> solver_names();

struct SolverOptions {
  std::string name = "z3";
  bool cache = false;
  bool validate = false;
  bool is_patient = false;  ///< See patient_solver.h.
  /// Whose limits end all checks, if it is given.
  support::Context* context = nullptr;
};

/// Makes solvers for terms of one pool that share what can be shared: the
/// translated terms and the cache. For one thread.
class SolverFactory {
 public:
  /// Throws InputError for a name that does not exist.
  SolverFactory(term::Pool& pool, const SolverOptions& options);

  std::unique_ptr<Solver> make() { return make(false); }
  /// For a few large questions, such as whether a long path is feasible.
  std::unique_ptr<Solver> make_one_shot() { return make(true); }

  CacheStatistics cache_statistics() const { return statistics(*cache_); }

 private:
  std::unique_ptr<Solver> make(bool one_shot);

  term::Pool& pool_;
  const SolverOptions options_;
  const std::shared_ptr<Z3Terms> terms_;
  const std::shared_ptr<QueryCache> cache_;
};

}  // namespace agon::smt
