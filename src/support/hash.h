// SPDX-License-Identifier: Apache-2.0
/// Hash functions that spread small integers over the whole word.
#pragma once

#include <cstddef>
#include <cstdint>

namespace agon::support {

/// The finaliser of splitmix64: every input bit reaches every output bit, which
/// open addressing with a power-of-two table needs.
constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  x ^= x >> 31;
  return x;
}

/// Two ids as the key of one hash table.
constexpr std::uint64_t pair_key(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}

/// Hash of an integral key.
struct MixHash {
  std::size_t operator()(std::uint64_t key) const { return mix(key); }
};

}  // namespace agon::support
