// SPDX-License-Identifier: Apache-2.0
/// Where values come from: recorded while a path is followed once more, so that
/// refinement knows which data were not distinguished well enough.
#pragma once

#include <cstdint>
#include <vector>

#include "algol/interval.h"

namespace agon::algol {

/// What a value is known to be, and where it comes from. Origin 0 is a constant
/// or unknown; only recorded values have others.
struct Value {
  Interval interval;
  std::uint32_t origin = 0;
};

struct Origin {
  enum class Kind : std::uint8_t {
    Unknown,
    Part,     ///< A part of a site: the environment's, or what was stored.
    Result,   ///< The result of an operator.
    Reduced,  ///< The operand, modulo the size of a type.
  };
  Kind kind = Kind::Unknown;
  Operator op = Operator::Add;
  std::uint32_t site = 0;  ///< Of a part.
  Interval part;           ///< The part; the range of what was reduced.
  Value left;  ///< An operand; of a part, the value that was stored.
  Value right;
};

/// The origins of all values of a path, in order of appearance.
class Origins {
 public:
  Origins() : origins_(1) {}

  const Origin& operator[](std::uint32_t origin) const {
    return origins_[origin];
  }
  std::size_t size() const { return origins_.size(); }

  std::uint32_t add(const Origin& origin) {
    origins_.push_back(origin);
    return static_cast<std::uint32_t>(origins_.size() - 1);
  }

 private:
  std::vector<Origin> origins_;
};

}  // namespace agon::algol
