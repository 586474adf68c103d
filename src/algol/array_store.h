// SPDX-License-Identifier: Apache-2.0
/// Arrays as values: hash-consed trees, so that equal arrays are one number, a
/// write copies one path, and elements that were never written cost nothing.
#pragma once

#include <array>
#include <cstdint>

#include "support/sequence_table.h"

namespace agon::algol {

/// Maps from 32-bit keys to 64-bit elements. Array 0 maps all keys to 0.
class ArrayStore {
 public:
  ArrayStore();

  /// `levels` says how many digits of three bits the keys of the array have.
  std::uint64_t read(std::uint32_t array, std::uint64_t key,
                     unsigned levels) const;
  std::uint32_t write(std::uint32_t array, std::uint64_t key,
                      std::uint64_t element, unsigned levels);

  /// How many levels keys below `size` need.
  static unsigned levels_for(std::uint64_t size);

 private:
  struct Entry {
    std::uint64_t word = 0;
    std::uint64_t value() const { return word; }
    friend bool operator==(Entry, Entry) = default;
  };
  static constexpr unsigned kBits = 3;
  static constexpr unsigned kBranches = 1U << kBits;

  static std::size_t digit(std::uint64_t key, unsigned level) {
    return key >> (level * kBits) & (kBranches - 1);
  }

  support::SequenceTable<Entry> nodes_;
};

}  // namespace agon::algol
