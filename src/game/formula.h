// SPDX-License-Identifier: Apache-2.0
/// Formulas that tell states apart: Hennessy-Milner logic, with modalities for
/// weak and for branching bisimilarity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lts/lts.h"

namespace agon::game {

/// How a diamond speaks about steps. `after` and `before` are its arguments.
enum class Modality : std::uint8_t {
  /// <a>after: an a-step leads to a state with `after`.
  Step,
  /// <<a>>after: an a-step with any number of silent steps before and behind
  /// does. If a is silent, written <<>>: any number of silent steps does.
  Weak,
  /// before<a>after: silent steps through states with `before`, the last one
  /// included, and then an a-step lead to a state with `after`. If a is silent
  /// it is also enough to have `after` at once (De Nicola and Vaandrager 1990).
  Until,
};

/// A conjunction of diamonds and negated diamonds. Subformulas are shared: a
/// diamond is an index, and its arguments mention smaller ones only.
struct Formula {
  struct Literal {
    std::uint32_t diamond;
    bool negated;
    friend constexpr auto operator<=>(Literal, Literal) = default;
  };
  using Conjunction = std::vector<Literal>;  ///< Empty: true.

  struct Diamond {
    Modality modality;
    lts::Label label;
    Conjunction before;  ///< For Until.
    Conjunction after;
    friend auto operator<=>(const Diamond&, const Diamond&) = default;
  };

  std::vector<Diamond> diamonds;
  Conjunction root;

  /// The number of diamonds and literals.
  std::size_t size() const;
};

/// Whether a formula is true in a state, by the definitions above.
bool satisfies(const lts::Lts& lts, lts::State state, const Formula& formula);

/// The formula in one line, such as `<a>(<b>true & !<c>true)`. What occurs more
/// than once or is nested deeply gets a name, explained behind a `where`. After
/// about `max_length` characters the rest is left out, and the text says so.
std::string to_string(const Formula& formula, const lts::LabelTable& labels,
                      std::size_t max_length = 2000);

}  // namespace agon::game
