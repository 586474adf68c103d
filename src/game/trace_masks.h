// SPDX-License-Identifier: Apache-2.0
/// Hashed sets of the short traces of every state.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "game/semantics.h"
#include "lts/lts.h"

namespace agon::game {

/// For each state and each length up to kDepth, the set of its traces of that
/// length, hashed into 64 bits. A state that simulates another has all of its
/// traces; so a bit that is missing proves that it does not, and most pairs
/// that are not in the simulation are found out in this way without being
/// played.
class TraceMasks {
 public:
  static constexpr unsigned kDepth = 3;
  using Masks = std::array<std::uint64_t, kDepth>;

  /// In linear time, but for long silent chains.
  TraceMasks(const lts::Lts& lts, Semantics semantics);

  const Masks& of(lts::State state) const { return masks_[state.index()]; }

  /// How many states are sure to differ in their traces.
  std::size_t num_distinct() const;

  /// The set of traces of length `depth` that starts with a label and goes on
  /// with the traces, one shorter, of the target.
  std::uint64_t after(lts::Transition move, unsigned depth) const {
    const std::uint64_t rest =
        depth == 1 ? 1 : masks_[move.target.index()][depth - 2];
    return std::rotl(
        rest, static_cast<int>(kSpread[depth - 1] * move.label.value() % 64));
  }

 private:
  // Odd, and far enough apart that few labels give few collisions.
  static constexpr std::array<std::uint32_t, kDepth> kSpread{1, 7, 29};

  void close_silently(const lts::Lts& lts, unsigned depth);

  std::vector<Masks> masks_;
  // The silent steps backwards: sources_[first_[s] .. first_[s + 1]].
  std::vector<std::uint32_t> first_;
  std::vector<lts::State> sources_;
};

/// The length of the shortest trace of `small` that `large` is sure to lack; 0
/// if none is known.
inline unsigned missing_trace(const TraceMasks::Masks& small,
                              const TraceMasks::Masks& large) {
  for (unsigned k = 0; k < TraceMasks::kDepth; ++k) {
    if ((small[k] & ~large[k]) != 0) return k + 1;
  }
  return 0;
}

}  // namespace agon::game
