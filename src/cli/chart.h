// SPDX-License-Identifier: Apache-2.0
/// Executions of several components as a message-sequence chart in text.
#pragma once

#include <string>
#include <vector>

#include "evidence/result.h"

namespace agon::cli {

/// One column for each component, a line for each step, and an arrow for each
/// event that several perform together. What happens is told in the columns, or
/// to the right of all of them where they would be too narrow for `width`.
/// Lines end in a newline.
std::string chart(const std::vector<std::string>& components,
                  const std::vector<evidence::SourceStep>& steps,
                  std::size_t width = 80);

}  // namespace agon::cli
