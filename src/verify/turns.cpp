// SPDX-License-Identifier: Apache-2.0
#include "verify/turns.h"

#include <set>

namespace agon::verify {

bool is_deterministic(const lts::Lts& spec) {
  for (std::size_t s = 0; s < spec.num_states(); ++s) {
    std::set<lts::Label> seen{lts::kTau};
    for (const lts::Transition t : spec.out(lts::State::at(s))) {
      if (!seen.insert(t.label).second) return false;
    }
  }
  return true;
}

// On a deterministic specification the two are the same game.
Turns::Turns(Conformance conformance, const lts::Lts& spec)
    : is_shared_(conformance == Conformance::Auto && !is_deterministic(spec)),
      is_for_traces_(conformance == Conformance::Trace) {}

void Turns::note(std::uint64_t work) {
  if (!is_shared_ || work - begun_at_ < budget_) return;
  if (is_for_traces_) budget_ *= 2;
  is_for_traces_ = !is_for_traces_;
  begun_at_ = work;
}

void Turns::leave_simulation() {
  is_shared_ = false;
  is_for_traces_ = true;
}

}  // namespace agon::verify
