// SPDX-License-Identifier: Apache-2.0
/// Runs a block on terms instead of values: all of its paths at once.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "abstraction/blocks.h"
#include "abstraction/liveness.h"
#include "abstraction/values.h"

namespace agon::abstraction {

/// One way out of a block: when it is taken, and what variables hold then.
struct Exit {
  ir::EdgeId edge;
  std::vector<term::Term> guard;  ///< A conjunction.
  Values values;                  ///< Of variables that are live at its end.
};

/// Symbolic execution of blocks. Paths are merged where they meet, so the cost
/// is that of the edges and not of the paths. Values that are known constants
/// at the start fold the conditions that depend on them, and what cannot be
/// reached then is not visited.
class SymbolicExecution {
 public:
  /// A term for what a Havoc edge chooses.
  using Choice = std::function<term::Term(ir::EdgeId)>;

  explicit SymbolicExecution(const Blocks& blocks);

  /// All exits of the block at `cut` that can be reached from `start`, in the
  /// order of the block; or the one at `only`, if it is given.
  std::vector<Exit> run(ir::LocationId cut, const Values& start,
                        const Choice& choice, ir::EdgeId only = {});

  /// The same along one path through the block.
  Exit follow(std::span<const ir::EdgeId> path, const Values& start,
              const Choice& choice);

  const Liveness& liveness() const { return liveness_; }
  Rewriter& rewriter() { return rewrite_; }

 private:
  struct State {
    std::vector<term::Term> guard;
    Values values;
  };

  bool step(State& state, ir::EdgeId edge, const Choice& choice);
  bool assume(State& state, term::Term condition);
  void keep_live(Values& values, ir::LocationId location) const;
  State merge(std::span<State> states, std::size_t depth);
  State join(term::Term condition, State then, State otherwise);
  Values select(term::Term condition, const Values& then,
                const Values& otherwise);
  std::vector<bool> leading_to(const Block& block, ir::EdgeId exit) const;

  const Blocks& blocks_;
  const ir::Program& program_;
  term::Pool& pool_;
  Liveness liveness_;
  Rewriter rewrite_;
  std::vector<std::vector<State>> arrived_;  // By location.
};

}  // namespace agon::abstraction
