// SPDX-License-Identifier: Apache-2.0
/// What the lines of an `.agon` file say in C.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "spec/ast.h"

namespace agon::spec {

/// Guards, conditions of events and what is modified.
std::vector<CText> texts_in_c(const File& file);

/// Fails where a text of `source` calls one of the routines by its name.
void refuse_calls(const support::Source& source, const CText& text,
                  const std::set<std::string>& routines);

}  // namespace agon::spec
