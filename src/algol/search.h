// SPDX-License-Identifier: Apache-2.0
/// Is a move reachable? Lazy search of a tree of automata (MAGE, Definition 4),
/// which is refined along one path at a time (MAGE, section 5.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algol/machine.h"
#include "algol/move.h"
#include "algol/precision.h"
#include "algol/tree.h"
#include "support/context.h"

namespace agon::algol {

/// One choice of a path.
struct Step {
  OptionGroup group;
  std::uint64_t number = 0;
};

/// The choices that lead somewhere, each with the precision that was in use.
/// They are those of a Search, and valid as long as it is.
struct PathStep {
  Step step;
  const Precision* precision = nullptr;
};
using Path = std::vector<PathStep>;

enum class Order : std::uint8_t { Program, Random };

struct SearchResult {
  enum class Kind : std::uint8_t {
    Found,
    Nothing,
    Paused,  ///< It can go on.
    Unknown,
  };
  Kind kind = Kind::Unknown;
  std::string reason;       ///< Why unknown.
  Path path;                ///< The choices that lead to the move.
  bool is_certain = false;  ///< No guess is on the path.
};

/// Looks for a move that matches one of the patterns. Depth first, with the
/// options of each state in the order of the program or in a random one (by the
/// seed of the context), except that some wait until the search with the others
/// has ended: guesses of the approximation, so that the search comes back to
/// the next most precise path first, and values of the environment after the
/// least, since most values do not matter.
class Search {
 public:
  /// All arguments have to outlive it.
  Search(const Tree& tree, Precision precision,
         std::span<const Pattern> patterns, Order order,
         support::Context& context);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Goes on for about so many moves inside of the tree.
  SearchResult run(std::uint64_t max_steps);

  /// To be called after a path was found that is not certain. Divides the data
  /// that led to guesses on it, and goes back to the last choice before that
  /// makes a difference. What was found elsewhere stays as it is.
  void refine();

  const Precision& finest() const;
  std::size_t num_states() const;
  std::uint64_t steps() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace agon::algol
