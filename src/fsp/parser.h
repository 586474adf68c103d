// SPDX-License-Identifier: Apache-2.0
/// From the text of an FSP file to its syntax tree.
#pragma once

#include "fsp/ast.h"
#include "fsp/options.h"
#include "support/source.h"

namespace agon::fsp {

/// Parses a whole file. Throws InputError at the first mistake; names that are
/// defined twice are one.
File parse_file(const support::Source& source, const ParseOptions& options);

/// Parses a reference to a process, such as `PIPE(4)`, and nothing else.
ProcRef parse_reference(const support::Source& source);

}  // namespace agon::fsp
