// SPDX-License-Identifier: Apache-2.0
/// Matrices of bits, by rows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace agon::lts {

/// A relation. Rows are spans of words, for operations on many
/// bits at once; bits beyond the last column are 0.
class BitMatrix {
 public:
  using Word = std::uint64_t;

  BitMatrix(std::size_t rows, std::size_t columns)
      : words_((columns + 63) / 64), bits_(words_ * rows, 0) {}

  bool test(std::size_t row, std::size_t column) const {
    return (bits_[row * words_ + column / 64] >> (column % 64) & 1) != 0;
  }
  void set(std::size_t row, std::size_t column) {
    bits_[row * words_ + column / 64] |= Word{1} << (column % 64);
  }
  void reset(std::size_t row, std::size_t column) {
    bits_[row * words_ + column / 64] &= ~(Word{1} << (column % 64));
  }

  std::span<Word> row(std::size_t row) {
    return {bits_.data() + row * words_, words_};
  }
  std::span<const Word> row(std::size_t row) const {
    return {bits_.data() + row * words_, words_};
  }

 private:
  std::size_t words_;
  std::vector<Word> bits_;
};

inline std::size_t count_bits(std::span<const BitMatrix::Word> row) {
  std::size_t count = 0;
  for (const BitMatrix::Word word : row) {
    count += static_cast<std::size_t>(std::popcount(word));
  }
  return count;
}

/// Calls `use` with the number of each bit that is set, in order.
template <class Use>
void for_each_bit(std::span<const BitMatrix::Word> row, const Use& use) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (BitMatrix::Word word = row[i]; word != 0; word &= word - 1) {
      use(static_cast<std::uint32_t>(64 * i) +
          static_cast<std::uint32_t>(std::countr_zero(word)));
    }
  }
}

}  // namespace agon::lts
