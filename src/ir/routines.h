// SPDX-License-Identifier: Apache-2.0
/// What is known about routines without a body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/program.h"

namespace agon::ir {

enum class RoutineResult : std::uint8_t {
  Nothing,   ///< No pointer.
  Argument,  ///< Its first argument, or somewhere behind it.
  Fresh,     ///< A new object.
  Outside,   ///< Something outside the program.
  Anything,  ///< What code outside may know, the arguments included.
};

struct RoutineModel {
  bool is_known = false;  ///< Otherwise all arguments escape.
  RoutineResult result = RoutineResult::Outside;
  /// What the second argument points to gets into what the first points to.
  bool copies = false;
  /// What the first argument points to may change.
  bool writes = false;
  /// The client of a module: gets its arguments, and gives any value that it
  /// has. If it `writes` then to memory of its own.
  bool is_client = false;
};

/// The client of a module gives a value.
inline constexpr const char* kClientValue = "__agon_client_value";
/// It does what it likes with its own memory, and gets the arguments.
inline constexpr const char* kClientActs = "__agon_client_acts";

RoutineModel routine_model(const Function& routine);

/// The input that decides whether an allocator without a body fails, such as
/// `malloc_fails`; nothing for other routines, and for those that never fail.
std::optional<std::string> failure_of(const Function& routine);
/// How the name ends of the function that is called where an allocator with
/// events fails.
inline constexpr std::string_view kWhereItFails = " where it fails";
/// The allocator of such an input; nothing for other inputs.
std::optional<std::string> allocator_of(std::string_view input);

/// Whether `realloc` is called, which moves as much as a block has: then a
/// model of memory has to know how much that is.
bool moves_blocks(const Program& program);

/// Adds an assumption for each routine that is called and has no body.
void assume_routines(Program& program);

}  // namespace agon::ir
