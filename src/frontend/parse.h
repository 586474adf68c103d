// SPDX-License-Identifier: Apache-2.0
/// Runs Clang on the files of a program.
#pragma once

#include <clang/Frontend/ASTUnit.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace agon::frontend {

/// One syntax tree per file. Throws InputError with Clang's first message if a
/// file has errors.
std::vector<std::unique_ptr<clang::ASTUnit>> parse(
    std::span<const std::string> files, const Options& options);

}  // namespace agon::frontend
