// SPDX-License-Identifier: Apache-2.0
/// The scalars that a value consists of. Structs are copied, passed and
/// returned scalar by scalar.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/type.h"

namespace agon::frontend {

struct Leaf {
  std::uint64_t offset = 0;
  std::uint32_t size = 0;  ///< In bytes.
  ir::TypeId type;         ///< Invalid for raw bytes.

  std::pair<std::uint64_t, std::uint32_t> extent() const {
    return {offset, size};
  }
};

/// More leaves than this are never listed; memory is copied as a whole.
inline constexpr std::uint64_t kManyLeaves = 64;

/// An upper bound of the number of leaves, without listing them.
std::uint64_t count_leaves(const ir::TypeTable& types, ir::TypeId type);

/// The leaves in order of offset. Together they hold every bit of the value:
/// bit-fields are covered by bytes, a union by its largest member and bytes for
/// the gaps in it. Padding of structs is left out.
std::vector<Leaf> leaves(const ir::TypeTable& types, ir::TypeId type);

/// Whether all leaves are plain fields, so that a variable of this type can be
/// one variable per field.
bool is_splittable(const ir::TypeTable& types, ir::TypeId type);

/// The fields that lead to the leaf at `offset`: `.position.x`.
std::string field_path(const ir::TypeTable& types, ir::TypeId type,
                       std::uint64_t offset);

}  // namespace agon::frontend
