// SPDX-License-Identifier: Apache-2.0
/// Bodies for routines of the C library.
#pragma once

#include <string_view>

#include "ir/program.h"

namespace agon::ir {

/// What is assumed of routines that got a body.
inline constexpr const char* kStandard = "taken to do what the C standard says";

/// Whether `with_library` knows a routine of this name.
bool is_in_library(std::string_view name);

/// The program with a body for each routine on strings and bytes that has none
/// and is declared as in the C standard, which says what they do; where it
/// leaves a result open, any is possible. It has a pool of its own, so that the
/// names of what is added depend on the program alone.
Program with_library(const Program& program);

}  // namespace agon::ir
