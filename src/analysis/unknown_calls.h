// SPDX-License-Identifier: Apache-2.0
/// Says in statements what routines without a body may do.
#pragma once

#include <cstdint>

#include "analysis/mod_ref.h"
#include "ir/addresses.h"
#include "ir/program.h"

namespace agon::analysis {

/// Replaces every call of a routine without a body, except actions:
///
/// - its results and whatever it may write get any value, the results last. If
///   it depends on the way to the call whether code outside knows an object
///   (told_objects.h), a variable of the program says so, and the object
///   changes only then;
/// - an allocator returns the next free address, which then moves on: a new
///   variable `heap` holds it. Allocation that would run out of addresses is
///   assumed not to happen. What was there before is copied or cleared as the
///   routine's description says. If there is `realloc`, which moves no more
///   than a block has, another variable `block_size` holds how large each is;
/// - a routine that does not return ends the run.
///
/// `effects` must be that of this program. What is assumed about routines is
/// added to the program's assumptions. With `any_state` the entry may be called
/// at any time, so that others may know static variables before.
ir::Program model_unknown_calls(ir::Program program, const ModRef& effects,
                                bool any_state);

/// What is looked at of the code around a module. Which of the module's memory
/// it knows at some time is not known exactly.
enum class Around : std::uint8_t {
  All,      ///< All that it can do, and possibly more.
  Certain,  ///< Only what it can do for certain.
};
struct ModelledModule {
  ir::Program program;
  /// Whether both are the same.
  bool is_exact = true;
  /// Whether memory of the module may be taken for that of its client, so that
  /// even what is certain may be too much.
  bool is_doubtful = false;
};

/// The same for a module with a client (client.h). A pointer that the client
/// gives is null, points to its own memory, which is apart from all that the
/// module has, or, unless only what is certain is asked for, to what the module
/// may have told it about.
ModelledModule model_module_calls(ir::Program program, const ModRef& effects,
                                  Around around);

/// Whether a variable is the one that holds the next free address. No name in C
/// starts like that of it.
inline constexpr const char* kHeap = "*heap";
inline bool is_heap(const ir::Variable& variable) {
  return variable.name.starts_with(kHeap);
}

/// Its value at the start; objects of the program lie below. By the width of
/// pointers.
constexpr std::uint64_t first_free_address(unsigned width) {
  return ir::heap_start(width);
}

/// The client of a module has its memory from here on, up to what is allocated.
constexpr std::uint64_t first_client_address(unsigned width) {
  return ir::client_start(width);
}

}  // namespace agon::analysis
