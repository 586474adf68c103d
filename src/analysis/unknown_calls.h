// SPDX-License-Identifier: Apache-2.0
/// Says in statements what routines without a body may do.
#pragma once

#include "analysis/mod_ref.h"
#include "ir/program.h"

namespace agon::analysis {

/// Replaces every call of a routine without a body, except actions:
///
/// - its results and whatever it may write get any value, the results last;
/// - an allocator returns the next free address, which then moves on: a new
///   variable `heap` holds it. Allocation that would run out of addresses is
///   assumed not to happen. What was there before is copied or cleared as the
///   routine's description says;
/// - a routine that does not return ends the run.
///
/// `effects` must be that of this program. What is assumed about routines is
/// added to the program's assumptions.
ir::Program model_unknown_calls(ir::Program program, const ModRef& effects);

/// The name of the variable that holds the next free address.
inline constexpr const char* kHeap = "heap";

/// Its value at the start; objects of the program lie below. By the width of
/// pointers.
constexpr std::uint64_t first_free_address(unsigned width) {
  return std::uint64_t{1} << (width - 2);
}

}  // namespace agon::analysis
