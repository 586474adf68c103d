// SPDX-License-Identifier: Apache-2.0
/// Which file each fragment belongs to.
#pragma once

#include <string>
#include <vector>

#include "frontend/parse.h"
#include "ir/fragment.h"

namespace agon::frontend {

/// For each unit what is to be added to its file. Fragments of routines that no
/// unit knows are left out.
std::vector<std::string> place_fragments(
    const std::vector<Parsed>& units,
    const std::vector<ir::Fragment>& fragments);

}  // namespace agon::frontend
