// SPDX-License-Identifier: Apache-2.0
/// SHA-256, which LLVM brings along.
#pragma once

#include <string>
#include <string_view>

namespace agon::frontend {

/// In lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace agon::frontend
