// SPDX-License-Identifier: Apache-2.0
/// Lists of labels on the command line, such as `--hide a,b`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::cli {

/// Splits at commas, except inside parentheses, brackets, braces and double
/// quotes; a label that is quoted as a whole loses its quotes. Throws
/// InputError if a label is empty or something is never closed.
std::vector<std::string> split_labels(std::string_view list);

/// Whether a label is one of the entries, or below one of them.
bool matches_any(const std::string& name,
                 const std::vector<std::string>& entries);

}  // namespace agon::cli
