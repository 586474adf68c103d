// SPDX-License-Identifier: Apache-2.0
/// Is a move reachable? Lazy search of a tree of automata (MAGE, Definition 4).
#pragma once

#include <cstddef>
#include <cstdint>
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
using Path = std::vector<Step>;

enum class Order : std::uint8_t { Program, Random };

struct SearchResult {
  enum class Kind : std::uint8_t { Found, Nothing, Unknown };
  Kind kind = Kind::Unknown;
  std::string reason;       ///< Why unknown.
  Path path;                ///< The choices that lead to the move.
  bool is_certain = false;  ///< No guess is on the path.
  std::size_t states = 0;
  std::uint64_t steps = 0;  ///< Moves inside of the tree.
};

/// Looks for a move that matches one of the patterns. Depth first, with the
/// options of each state in the order of the program or in a random one (by the
/// seed of the context), except that some wait until the search with the others
/// has ended: guesses of the approximation, so that the search comes back to
/// the next most precise path first (MAGE, section 5.3), and values of the
/// environment after the least, since most values do not matter.
SearchResult search(const Tree& tree, const Precision& precision,
                    std::span<const Pattern> patterns, Order order,
                    support::Context& context);

}  // namespace agon::algol
