// SPDX-License-Identifier: Apache-2.0
/// What the formats of `printf` and its relatives write to.
#pragma once

#include <clang/AST/Expr.h>

#include <cstdint>

namespace agon::frontend {

enum class FormatWrites : std::uint8_t {
  Nothing,
  Unclear,    ///< The format is no literal, and there is a place for a number.
  Characters  ///< So many as were written, by `%n`.
};

/// What a call writes besides text; Nothing if it is of another routine.
FormatWrites format_writes(const clang::CallExpr& call);

}  // namespace agon::frontend
