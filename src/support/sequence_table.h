// SPDX-License-Identifier: Apache-2.0
/// Hash-consing of short sequences: equal ones get the same number.
#pragma once

#include <tsl/robin_set.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "support/hash.h"

namespace agon::support {

/// Numbers sequences of ids densely in order of first appearance and keeps them
/// in one flat array.
template <class Word>
class SequenceTable {
 public:
  SequenceTable() : index_(64, Hash{this}, Equal{this}) {}
  SequenceTable(const SequenceTable&) = delete;
  SequenceTable& operator=(const SequenceTable&) = delete;

  std::size_t size() const { return ends_.size(); }

  /// The sequence of a number; valid until the next `intern`.
  std::span<const Word> operator[](std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {words_.data() + begin, words_.data() + ends_[number]};
  }

  std::uint32_t intern(std::span<const Word> sequence) {
    const std::size_t before = words_.size();
    words_.insert(words_.end(), sequence.begin(), sequence.end());
    ends_.push_back(words_.size());
    const auto candidate = static_cast<std::uint32_t>(ends_.size() - 1);
    const auto [known, is_new] = index_.insert(candidate);
    if (!is_new) {
      words_.resize(before);
      ends_.pop_back();
    }
    return *known;
  }

  /// Numbers a sequence that the caller knows to be new and will never
  /// `intern`.
  std::uint32_t append(std::span<const Word> sequence) {
    words_.insert(words_.end(), sequence.begin(), sequence.end());
    return reserve();
  }

  /// A number that stands for no sequence.
  std::uint32_t reserve() {
    ends_.push_back(words_.size());
    return static_cast<std::uint32_t>(ends_.size() - 1);
  }

 private:
  struct Hash {
    const SequenceTable* table;
    std::size_t operator()(std::uint32_t number) const {
      std::uint64_t hash = 0;
      for (const Word word : (*table)[number]) hash = mix(hash + word.value());
      return hash;
    }
  };
  struct Equal {
    const SequenceTable* table;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      return std::ranges::equal((*table)[a], (*table)[b]);
    }
  };

  std::vector<Word> words_;
  std::vector<std::size_t> ends_;
  tsl::robin_set<std::uint32_t, Hash, Equal, std::allocator<std::uint32_t>,
                 /*StoreHash=*/true>
      index_;
};

}  // namespace agon::support
