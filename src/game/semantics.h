// SPDX-License-Identifier: Apache-2.0
/// How the players of a game see silent steps.
#pragma once

namespace agon::game {

enum class Semantics {
  Strong,  ///< A silent step is an action like any other.
  Weak,    ///< Silent steps are free and invisible.
};

}  // namespace agon::game
