// SPDX-License-Identifier: Apache-2.0
/// The specification's side of an answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lts/lts.h"
#include "report/report.h"

namespace agon::report {

/// What a specification can do, silent steps aside.
class Responder {
 public:
  using States = std::vector<std::uint32_t>;  ///< Sorted.

  explicit Responder(const lts::Lts& spec) : spec_(spec) {}

  /// These states, and what they reach silently.
  States closure(States states) const;
  /// Where `tau* action` leads from these states.
  States after(const States& states, const std::string& action) const;
  /// The visible actions that are possible after silent steps, sorted.
  std::vector<std::string> allowed(const States& states) const;

 private:
  const lts::Lts& spec_;
};

/// Puts the specification into a result, where it is before and after each
/// action of the counterexample, and why it loses at the leaves of a strategy.
/// `names` are those of its states, or there are none.
void add_specification(const lts::Lts& spec, std::span<const std::string> names,
                       Result& result);

/// How many of the actions have been performed after each step.
std::vector<std::size_t> performed(const Counterexample& counterexample);

/// The system that a result describes.
lts::Lts to_lts(const SpecificationGraph& graph);

}  // namespace agon::report
