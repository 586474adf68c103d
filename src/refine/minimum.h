// SPDX-License-Identifier: Apache-2.0
/// A smallest choice that meets several requirements (TWO §6.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refine/minimise.h"

namespace agon::refine {

struct Minimum {
  Choice choice;
  bool is_least = true;      ///< Otherwise, the smallest that was found.
  std::uint64_t effort = 0;  ///< How many sets were looked at.
};

/// A smallest choice that contains one set of each requirement, by branch and
/// bound: the pseudo-Boolean problem "minimise the sum of the candidates so
/// that each requirement has a set of which all are chosen". If there are
/// several, candidates of `preferred` are kept as far as that is found at once.
Minimum minimum(std::span<const std::vector<Choice>> requirements,
                const Choice& preferred = {},
                std::uint64_t max_effort = 10'000'000);

}  // namespace agon::refine
