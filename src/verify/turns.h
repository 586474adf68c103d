// SPDX-License-Identifier: Apache-2.0
/// Which of the two games of conformance is played next.
#pragma once

#include <cstdint>

#include "lts/lts.h"
#include "verify/options.h"

namespace agon::verify {

/// Whether the specification simulates whatever has traces of its own only: no
/// state has two moves with one label, or a silent one.
bool is_deterministic(const lts::Lts& spec);

/// Where both would do, simulation and traces take turns. Each turn may cost as
/// much as all before it, so that neither game costs more than a few times what
/// the other one needs; both refine the same abstraction. Counts work and not
/// time, on which no answer may depend.
class Turns {
 public:
  /// What the first turn, of simulation, may cost: most questions need less.
  static constexpr std::uint64_t kFirst = 3'000;

  Turns(Conformance conformance, const lts::Lts& spec);

  bool is_for_traces() const { return is_for_traces_; }

  /// Says how much work was done in all, after each time that a game was
  /// played.
  void note(std::uint64_t work);

  /// Simulation is known to fail, or to be too much.
  void leave_simulation();

 private:
  bool is_shared_;
  bool is_for_traces_;
  std::uint64_t budget_ = kFirst;
  std::uint64_t begun_at_ = 0;
};

}  // namespace agon::verify
