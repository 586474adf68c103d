// SPDX-License-Identifier: Apache-2.0
/// Pictures of systems in the language of Graphviz.
#pragma once

#include <string>

#include "lts/lts.h"

namespace agon::lts {

/// The system as a digraph, left to right. Transitions between the same two
/// states share an arrow. ERROR is red, END has a double border, and silent
/// steps are dashed.
std::string write_dot(const Lts& lts);

}  // namespace agon::lts
