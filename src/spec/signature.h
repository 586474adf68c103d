// SPDX-License-Identifier: Apache-2.0
/// Reading `int rd(int fd)`.
#pragma once

#include "spec/ast.h"
#include "spec/scanner.h"

namespace agon::spec {

/// Takes a signature; `keyword` is what it follows, for messages.
Signature signature(Scanner& scanner, const std::string& keyword);

}  // namespace agon::spec
