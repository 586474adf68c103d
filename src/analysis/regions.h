// SPDX-License-Identifier: Apache-2.0
/// Divides memory into regions that cannot alias, one array for each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/points_to.h"
#include "ir/program.h"

namespace agon::analysis {

/// Cells that some access may mix up.
struct Region {
  std::string name;  ///< `node.next`, `buf[]`, `heap@12`, `bytes`.
  /// All accesses have this size and hit cells at their start, so an element
  /// of the array is such a value, found at the address of its first byte. 1:
  /// an array of bytes.
  unsigned element_bytes = 1;
  ir::VariableId variable;
  std::vector<std::uint32_t> cells;  ///< By number in the points-to analysis.
};

struct SplitMemory {
  ir::Program program;
  std::vector<Region> regions;
};

/// The program with `memory` replaced by one variable per region. Regions are
/// indexed by byte address like memory itself.
///
/// It runs as before: the same outcome, results and actions, as far as the
/// assumptions of the points-to analysis hold and every routine without a body
/// leaves alone what it does not know. An access whose address denotes no
/// object goes to the region of what lies outside. Copies become one copy per
/// region; where an assignment changes several regions, what it reads from
/// them is put into temporaries first. Havoc of memory is havoc of all regions;
/// an array that only serves as a source of arbitrary bytes gets a twin for
/// each size of elements. Allocators treat all regions alike, see
/// ir/interpreter.h. The variable `memory` stays, unused.
///
/// `points_to` must be the analysis of the same `program`, in which there is
/// but one memory.
SplitMemory split_memory(const ir::Program& program, const PointsTo& points_to);

}  // namespace agon::analysis
