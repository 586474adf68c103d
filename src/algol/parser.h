// SPDX-License-Identifier: Apache-2.0
/// The parser of open terms, files `.ia`.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "algol/ast.h"
#include "support/source.h"

namespace agon::algol {

/// Numbers that have names, such as the size of an array.
using Constants = std::map<std::string, std::int64_t, std::less<>>;

/// Reads a judgement and checks its types. Throws InputError with the place of
/// the first mistake.
Judgement read_judgement(const support::Source& source,
                         const Constants& constants);

/// The first step alone.
Judgement parse(const support::Source& source, const Constants& constants);

}  // namespace agon::algol
