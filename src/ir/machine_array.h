// SPDX-License-Identifier: Apache-2.0
/// Array values of a running program, as pages. Internal to the folder.
#pragma once

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include "ir/interpreter.h"
#include "support/hash.h"
#include "term/bits.h"
#include "term/sort.h"

namespace agon::ir::machine {

/// A map from indices to elements. An element that was never written is made
/// of the environment's bytes at its index and above, or it is a constant.
///
/// Elements take 1, 2, 4, 8 or 16 bytes in pages that are made at the first
/// access; a small cache finds recently used ones without hashing.
class Array {
 public:
  Array(term::Sort sort, Environment& environment);
  Array(const Array& other) { *this = other; }
  Array& operator=(const Array& other);

  /// From now on the listener is told of what happens to this variable.
  void listen(Listener* listener, VariableId variable) {
    listener_ = listener;
    variable_ = variable;
  }

  unsigned element_width() const { return width_; }
  /// Bytes that an element takes in a range.
  std::size_t cell_size() const { return std::size_t{1} << shift_; }

  /// Elements index … index + count - 1, the lowest index lowest.
  term::Bits read(std::uint64_t index, unsigned count);
  /// The same where all of them have 64 bits at the most.
  std::uint64_t read_narrow(std::uint64_t index, unsigned count);
  void write(std::uint64_t index, unsigned count, term::Bits value);
  void write_narrow(std::uint64_t index, unsigned count, std::uint64_t value);

  /// The cells of many elements at once.
  void read_range(std::uint64_t index, std::uint64_t count, std::uint8_t* to);
  void write_range(std::uint64_t index, std::uint64_t count,
                   const std::uint8_t* from);

  void zero(std::uint64_t index, std::uint64_t count);
  /// Makes elements what they were before anything was written.
  void forget(std::uint64_t index, std::uint64_t count);
  /// Makes all elements the same.
  void set_all(term::Bits value);

 private:
  static constexpr unsigned kPageBits = 10;
  static constexpr std::uint64_t kPageCells = std::uint64_t{1} << kPageBits;
  static constexpr std::size_t kCached = 16;
  struct Cached {
    std::uint64_t number = 0;
    std::uint8_t* cells = nullptr;
  };

  std::uint8_t* page(std::uint64_t index) {
    const std::uint64_t number = index >> kPageBits;
    const Cached& cached = cache_[number % kCached];
    if (cached.cells != nullptr && cached.number == number) return cached.cells;
    return find_page(number);
  }
  std::uint8_t* find_page(std::uint64_t number);
  std::uint8_t* cell(std::uint64_t index) {
    return page(index) + ((index % kPageCells) << shift_);
  }
  /// Whether the elements are bytes of one page, so that they can be moved at
  /// once.
  bool is_simple(std::uint64_t index, unsigned count) const {
    return width_ == 8 && index % kPageCells + count <= kPageCells;
  }

  term::Bits initial(std::uint64_t index);
  term::Bits load(const std::uint8_t* cell) const;
  void store(std::uint8_t* cell, term::Bits value) const;
  /// Calls `visit(first index, number)` for each part of a range in one page.
  template <class Visit>
  void for_pages(std::uint64_t index, std::uint64_t count, const Visit& visit);

  /// What `forget` does, page by page of what was touched.
  void forget_pages(std::uint64_t index, std::uint64_t count);

  void note_read(std::uint64_t index, std::uint64_t count) const {
    if (listener_ != nullptr) listener_->read(variable_, index, count);
  }
  void note_written(std::uint64_t index, std::uint64_t count) const {
    if (listener_ != nullptr) listener_->written(variable_, index, count);
  }

  Environment* environment_ = nullptr;
  Listener* listener_ = nullptr;
  VariableId variable_;
  unsigned width_ = 8;
  unsigned shift_ = 0;
  std::uint64_t index_mask_ = 0;
  bool has_constant_ = false;
  term::Bits constant_ = 0;
  tsl::robin_map<std::uint64_t, std::unique_ptr<std::uint8_t[]>,
                 support::MixHash>
      pages_;
  std::array<Cached, kCached> cache_{};
};

}  // namespace agon::ir::machine
