// SPDX-License-Identifier: Apache-2.0
/// What a term points to. Internal to the folder.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "term/term.h"

namespace agon::term::detail {

/// A node of the graph. Bit-vector constants are stored in two words, so that
/// a node needs no more alignment than a pointer; names and integers are kept
/// by the pool.
struct Node {
  Kind kind = Kind::Constant;
  Sort sort;
  std::uint32_t id = 0;
  std::uint32_t parameter = 0;  ///< Term::low or Term::count.
  std::span<const Term> operands;
  std::array<std::uint64_t, 2> words{};
  union {
    const std::string* name = nullptr;  ///< Of variables and addresses.
    const Integer* integer;             ///< Of integer constants.
  };

  Bits value() const { return Bits{words[1]} << 64 | words[0]; }
  void set_value(Bits value) {
    words = {static_cast<std::uint64_t>(value),
             static_cast<std::uint64_t>(value >> 64)};
  }
};

}  // namespace agon::term::detail
