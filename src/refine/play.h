// SPDX-License-Identifier: Apache-2.0
/// What a counterexample of the abstract game claims about the program.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "abstraction/abstract_program.h"
#include "game/strategy.h"

namespace agon::refine {

/// A tree of steps of blocks. The play is real if there is one start of the
/// program from which every branch can be run, where branches share what they
/// have done before they part, and each chooses its own inputs after that.
struct Play {
  struct Node {
    ir::LocationId cut;  ///< Where the step starts.
    bool is_start = false;
    ir::EdgeId exit;
    lts::State spec;  ///< Where the specification is; invalid if not known.
    std::vector<std::uint32_t> children;
    /// What the abstraction claims before and after the step.
    std::vector<term::Term> before;
    std::vector<term::Term> after;
  };
  std::vector<Node> nodes;  ///< The first is the root; children come later.

  /// Whether it is a single path.
  bool is_linear() const;
};

/// Unfolds a strategy; nothing if it has more than `max_nodes` nodes.
std::optional<Play> unfold(const game::Strategy& strategy,
                           abstraction::AbstractProgram& model,
                           ir::LocationId entry, std::size_t max_nodes);

/// The play of a trace.
Play unfold(std::span<const lts::Transition> steps,
            abstraction::AbstractProgram& model, ir::LocationId entry);

}  // namespace agon::refine
