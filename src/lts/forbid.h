// SPDX-License-Identifier: Apache-2.0
/// Specifications that allow less.
#pragma once

#include <span>
#include <string>

#include "lts/lts.h"

namespace agon::lts {

/// The same system with more labels in its alphabet, which so can happen
/// nowhere.
Lts forbid(const Lts& system, std::span<const std::string> labels);

}  // namespace agon::lts
