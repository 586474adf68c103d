// SPDX-License-Identifier: Apache-2.0
/// Which numbers the bits of variables stand for.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace agon::analysis {

/// How bits are read as a number.
enum class Reading : std::uint8_t {
  Signed,
  Unsigned,
  Either,  ///< The highest bit is 0, so that both are the same.
};

/// The reading of each variable, by id: what its type says; of an array, what
/// most of its uses say. Arrays that are copied into each other or chosen
/// between have one reading.
std::vector<Reading> find_readings(const ir::Program& program);

}  // namespace agon::analysis
