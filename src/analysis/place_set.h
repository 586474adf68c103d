// SPDX-License-Identifier: Apache-2.0
/// Sets of small numbers: few and scattered, or many and dense.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace agon::analysis {

/// A set as the words of its bit vector that are not zero, in order.
class PlaceSet {
 public:
  bool empty() const { return words_.empty(); }
  std::size_t size() const;
  bool contains(std::uint32_t number) const;
  /// How much a pass over the set costs.
  std::size_t num_words() const { return words_.size(); }

  /// Whether it was not there.
  bool insert(std::uint32_t number);
  /// Adds all of another set, and says which were not there.
  PlaceSet merge(const PlaceSet& other);
  void remove(const PlaceSet& other);

  /// In increasing order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Word& word : words_) {
      for (std::uint32_t bits = word.bits; bits != 0; bits &= bits - 1) {
        visit(word.index * kBits +
              static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
  }

  std::uint64_t hash() const;
  friend bool operator==(const PlaceSet&, const PlaceSet&) = default;

 private:
  static constexpr std::uint32_t kBits = 32;

  struct Word {
    std::uint32_t index = 0;
    std::uint32_t bits = 0;

    friend bool operator==(const Word&, const Word&) = default;
  };

  std::vector<Word> words_;
};

struct PlaceSetHash {
  std::size_t operator()(const PlaceSet& set) const { return set.hash(); }
};

}  // namespace agon::analysis
