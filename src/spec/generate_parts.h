// SPDX-License-Identifier: Apache-2.0
/// Pieces of C that several generated functions have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/c_writer.h"
#include "spec/generate.h"

namespace agon::spec {

std::string literal(std::int64_t value);

/// The type of the result, under a name that `prelude` declares.
std::string type_name(const LineToWrite& line);
/// The type in which a result is compared with numbers: its own, or `long` for
/// a pointer. `number_checks` declares it.
std::string number_type(const LineToWrite& line);

/// `type function(parameters)`.
enum class Result { Own, None };
void head(CWriter& out, const LineToWrite& line, const std::string& function,
          Result result = Result::Own);

/// The guards as variables `__agon_g<arm>`.
void guards(CWriter& out, const LineToWrite& line);

/// Makes Clang refuse numbers that a result of the type cannot be; declares the
/// type `number` in which it is compared with them.
void number_checks(CWriter& out, const std::string& type,
                   const std::string& number, Offset place,
                   const std::vector<ReturnCondition>& conditions);

}  // namespace agon::spec
