// SPDX-License-Identifier: Apache-2.0
/// Strong identifiers: indices that cannot be mixed up with one another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace agon::support {

/// An index into some table. `Tag` says which, so that a state is never passed
/// where a label is expected. Four bytes, no overhead over a plain integer.
template <class Tag>
class Id {
 public:
  /// An invalid id; useful as "none".
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : value_(value) {}

  /// The id of the element at `index` of a table.
  static constexpr Id at(std::size_t index) {
    return Id(static_cast<std::uint32_t>(index));
  }

  constexpr std::uint32_t value() const { return value_; }
  constexpr std::size_t index() const { return value_; }
  constexpr bool valid() const { return value_ != kInvalid; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr auto kInvalid = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = kInvalid;
};

}  // namespace agon::support

template <class Tag>
struct std::hash<agon::support::Id<Tag>> {
  std::size_t operator()(agon::support::Id<Tag> id) const noexcept {
    return id.value();
  }
};
