// SPDX-License-Identifier: Apache-2.0
#include "lts/forbid.h"

#include <utility>

namespace agon::lts {

Lts forbid(const Lts& system, std::span<const std::string> labels) {
  LtsBuilder builder(system.labels());
  builder.ensure_states(system.num_states());
  builder.set_initial(system.initial());
  for (std::size_t i = 0; i < system.num_states(); ++i) {
    for (const Transition t : system.out(State::at(i))) {
      builder.add_transition(State::at(i), t.label, t.target);
    }
  }
  for (const Label label : system.alphabet()) builder.extend_alphabet(label);
  for (const std::string& label : labels) {
    builder.extend_alphabet(system.labels()->intern(label));
  }
  return std::move(builder).build();
}

}  // namespace agon::lts
