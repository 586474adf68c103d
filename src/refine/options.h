// SPDX-License-Identifier: Apache-2.0
/// Where predicates come from, and how many of them are kept.
#pragma once

#include <cstddef>
#include <cstdint>

namespace agon::refine {

enum class PredicateSource : std::uint8_t {
  WeakestPreconditions,  ///< Of the conditions that matter on the path.
  Branches,              ///< Branch conditions only, as in the papers.
};

/// The branches that are tried first against a play.
enum class Candidates : std::uint8_t {
  Core,  ///< Those that contradict each other on it.
  Play,  ///< All that it takes (SIM §7).
};

/// How hard to look for few predicates (TWO §6.3).
enum class Minimise : std::uint8_t {
  None,     ///< Whatever was found is kept.
  Greedy,   ///< What can be left out is left out (TWO Fig. 10).
  Optimal,  ///< As few as rule out all plays so far.
};

struct MinimiseBounds {
  std::size_t max_subsets = 1000;    ///< Sets that are tried.
  std::size_t max_eliminating = 20;  ///< Sets that are kept.
  /// Spend so many hundredths of the work on trying; all of them: without any
  /// bound.
  unsigned share = 5;
  static constexpr unsigned kWhole = 100;
};

struct RefinerOptions {
  PredicateSource predicates = PredicateSource::WeakestPreconditions;
  Candidates candidates = Candidates::Core;  ///< Of branches.
  Minimise minimise = Minimise::None;
  MinimiseBounds bounds;
};

}  // namespace agon::refine
