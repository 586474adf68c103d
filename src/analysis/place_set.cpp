// SPDX-License-Identifier: Apache-2.0
#include "analysis/place_set.h"

#include <algorithm>

#include "support/hash.h"

namespace agon::analysis {

std::size_t PlaceSet::size() const {
  std::size_t result = 0;
  for (const Word& word : words_) {
    result += static_cast<std::size_t>(std::popcount(word.bits));
  }
  return result;
}

bool PlaceSet::contains(std::uint32_t number) const {
  const auto found =
      std::ranges::lower_bound(words_, number / kBits, {}, &Word::index);
  return found != words_.end() && found->index == number / kBits &&
         (found->bits >> number % kBits & 1U) != 0;
}

bool PlaceSet::insert(std::uint32_t number) {
  const std::uint32_t bit = 1U << number % kBits;
  auto found =
      std::ranges::lower_bound(words_, number / kBits, {}, &Word::index);
  if (found == words_.end() || found->index != number / kBits) {
    words_.insert(found, Word{number / kBits, bit});
    return true;
  }
  if ((found->bits & bit) != 0) return false;
  found->bits |= bit;
  return true;
}

PlaceSet PlaceSet::merge(const PlaceSet& other) {
  PlaceSet added;
  std::size_t missing = 0;
  std::size_t at = 0;
  for (const Word& word : other.words_) {
    while (at < words_.size() && words_[at].index < word.index) ++at;
    const bool is_there = at < words_.size() && words_[at].index == word.index;
    const std::uint32_t bits =
        is_there ? word.bits & ~words_[at].bits : word.bits;
    if (bits != 0) added.words_.push_back({word.index, bits});
    if (is_there) {
      words_[at].bits |= bits;
    } else {
      ++missing;
    }
  }
  if (missing == 0) return added;
  // Words that are not there yet move in from the back.
  std::size_t to = words_.size() + missing;
  std::size_t from = words_.size();
  words_.resize(to);
  for (std::size_t i = other.words_.size(); missing > 0; --i) {
    const Word& word = other.words_[i - 1];
    while (from > 0 && words_[from - 1].index > word.index) {
      words_[--to] = words_[--from];
    }
    if (from > 0 && words_[from - 1].index == word.index) continue;
    words_[--to] = word;
    --missing;
  }
  return added;
}

void PlaceSet::remove(const PlaceSet& other) {
  std::size_t at = 0;
  for (const Word& word : other.words_) {
    while (at < words_.size() && words_[at].index < word.index) ++at;
    if (at == words_.size()) break;
    if (words_[at].index == word.index) words_[at].bits &= ~word.bits;
  }
  std::erase_if(words_, [](const Word& word) { return word.bits == 0; });
}

std::uint64_t PlaceSet::hash() const {
  std::uint64_t result = words_.size();
  for (const Word& word : words_) {
    result = support::mix(result ^ support::pair_key(word.index, word.bits));
  }
  return result;
}

}  // namespace agon::analysis
