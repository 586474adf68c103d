// SPDX-License-Identifier: Apache-2.0
#include "lts/successors.h"

namespace agon::lts {

bool ExplicitSuccessors::can_terminate() const {
  if (!lts_->has_kinds()) return false;
  for (std::size_t i = 0; i < lts_->num_states(); ++i) {
    if (lts_->kind(State::at(i)) == StateKind::Terminated) return true;
  }
  return false;
}

}  // namespace agon::lts
