// SPDX-License-Identifier: Apache-2.0
/// Readable names for regions. Internal; see regions.h.
#pragma once

#include <string>

#include "analysis/regions.h"

namespace agon::analysis {

/// A name by what the cells have in common: `node.next` if all are that field,
/// the object's name if there is one, and `bytes` for all that is mixed up.
std::string region_name(const ir::Program& program, const PointsTo& points_to,
                        const Region& region);

}  // namespace agon::analysis
