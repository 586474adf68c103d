// SPDX-License-Identifier: Apache-2.0
/// A decorator that asks no question twice.
#pragma once

#include <cstdint>
#include <memory>

#include "smt/solver.h"

namespace agon::smt {

/// Answers to questions about terms of one pool, whose variables have no names.
class QueryCache;

struct CacheStatistics {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
};

/// Forgets everything when the questions need more than so much memory.
std::shared_ptr<QueryCache> make_query_cache(
    std::size_t bytes = std::size_t{256} << 20);
CacheStatistics statistics(const QueryCache& cache);

/// Any number of solvers on the same pool can share a cache. A question that
/// was asked before, of the same formulas up to names, does not reach `inner`,
/// nor do formulas about which nothing new is asked. Unknown is not remembered.
/// Writing a question down costs time in its size.
std::unique_ptr<Solver> make_caching_solver(std::unique_ptr<Solver> inner,
                                            std::shared_ptr<QueryCache> cache);

}  // namespace agon::smt
