// SPDX-License-Identifier: Apache-2.0
/// Graphviz as a child process.
#pragma once

#include <string>

#include "support/context.h"

namespace agon::cli {

/// Lets Graphviz's `dot` turn `text` into an SVG file. Throws InputError if
/// Graphviz is missing, fails, or is not done within the limits.
void draw_svg(const std::string& path, const std::string& text,
              support::Context& context);

}  // namespace agon::cli
