// SPDX-License-Identifier: Apache-2.0
/// From the text of an FSP file to its words.
#pragma once

#include <vector>

#include "fsp/token.h"
#include "support/source.h"

namespace agon::fsp {

/// All tokens of the text, the last one of kind End. Their texts point into
/// `source`. Throws InputError at the first byte that cannot be read.
std::vector<Token> tokenise(const support::Source& source);

}  // namespace agon::fsp
