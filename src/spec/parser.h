// SPDX-License-Identifier: Apache-2.0
/// From the text of an `.agon` file to its lines.
#pragma once

#include <memory>

#include "spec/ast.h"
#include "support/source.h"

namespace agon::spec {

/// The label that stands for `return[_]` in the text given to FSP.
inline constexpr const char* kAnyReturn = "return._";

/// Parses a file; processes are left to FSP. Conditions on results are entered
/// into `conditions`. Throws InputError.
File parse(std::shared_ptr<const support::Source> source,
           WrittenConditions& conditions);

}  // namespace agon::spec
