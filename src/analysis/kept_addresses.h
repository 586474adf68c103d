// SPDX-License-Identifier: Apache-2.0
/// Locals of which other functions may find the addresses.
#pragma once

#include <set>

#include "analysis/points_to.h"
#include "ir/program.h"

namespace agon::analysis {

/// The sites of objects whose address is put into a global or into memory
/// somewhere, given to a function with a body, or returned. Of locals that are
/// not among them, another function gets to know only by way of code outside.
std::set<SiteId> kept_addresses(const ir::Program& program,
                                const PointsTo& where);

}  // namespace agon::analysis
