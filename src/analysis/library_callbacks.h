// SPDX-License-Identifier: Apache-2.0
/// Routines of the C library that call functions of the program.
#pragma once

#include <string_view>

#include "ir/program.h"

namespace agon::analysis {

/// Whether a routine of this name is one of them.
bool calls_back(std::string_view routine);

/// Lets `qsort` and `bsearch` call the function that they are given, any number
/// of times before they return, each time with any two elements, or with the
/// key and any one; between the calls what they may change changes. Only where
/// that function may perform an action: otherwise nobody can tell.
void add_library_callbacks(ir::Program& program);

}  // namespace agon::analysis
