// SPDX-License-Identifier: Apache-2.0
/// Which predicates are needed where, so that some branches can be followed.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "abstraction/blocks.h"
#include "abstraction/liveness.h"
#include "abstraction/precision.h"
#include "abstraction/values.h"

namespace agon::abstraction {

/// A predicate in the one of two opposite forms that is used throughout: no
/// negation, and `<` rather than `<=`.
term::Term canonical(term::Pool& pool, term::Term predicate);

/// Infers predicates from the conditions of branches (TWO Fig. 5): a seed is
/// needed where it is tested, and a predicate that is needed after a statement
/// is needed before it as its weakest precondition. What becomes constant or
/// depends on an input that is not chosen yet is not tracked.
class PredicateInference {
 public:
  PredicateInference(const Blocks& blocks, const Liveness& liveness);

  /// A loop can make this go on forever (`x == 0`, `x + 1 == 0`, …), so no
  /// location gets more than `bound` predicates.
  Precision infer(std::span<const term::Term> seeds, std::size_t bound = 48);

 private:
  void carry(const ir::Edge& edge, term::Term predicate);
  void add(ir::LocationId location, term::Term predicate);

  const Blocks& blocks_;
  const Liveness& liveness_;
  term::Pool& pool_;
  Rewriter rewrite_;
  std::vector<std::vector<ir::EdgeId>> incoming_;  // By location.
  /// Where conditions are tested.
  std::map<term::Term, std::vector<ir::LocationId>> tests_;

  // Of the seeds at hand.
  std::size_t bound_ = 0;
  std::vector<std::vector<term::Term>> at_;  // By location.
  std::deque<std::pair<ir::LocationId, term::Term>> work_;
};

}  // namespace agon::abstraction
