// SPDX-License-Identifier: Apache-2.0
#include "ir/machine_array.h"

#include <algorithm>
#include <bit>

#include "support/error.h"

namespace agon::ir::machine {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements are moved to and from memory as they are");

template <class T>
T load_as(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store_as(std::uint8_t* to, term::Bits wide) {
  const T value = static_cast<T>(wide);
  std::memcpy(to, &value, sizeof value);
}

}  // namespace

Array::Array(term::Sort sort, Environment& environment)
    : environment_(&environment), width_(sort.width) {
  AGON_ASSERT(sort.is_array() && sort.width > 0);
  AGON_ASSERT(sort.index_width > 0 && sort.index_width <= 64);
  index_mask_ = static_cast<std::uint64_t>(term::mask(sort.index_width));
  while ((8U << shift_) < width_) ++shift_;
}

Array& Array::operator=(const Array& other) {
  if (this == &other) return *this;
  environment_ = other.environment_;
  width_ = other.width_;
  shift_ = other.shift_;
  index_mask_ = other.index_mask_;
  has_constant_ = other.has_constant_;
  constant_ = other.constant_;
  pages_.clear();
  cache_ = {};
  const std::size_t size = kPageCells << shift_;
  for (const auto& [number, cells] : other.pages_) {
    auto copy = std::make_unique<std::uint8_t[]>(size);
    std::memcpy(copy.get(), cells.get(), size);
    pages_.emplace(number, std::move(copy));
  }
  return *this;
}

term::Bits Array::load(const std::uint8_t* cell) const {
  switch (shift_) {
    case 0:
      return *cell;
    case 1:
      return load_as<std::uint16_t>(cell);
    case 2:
      return load_as<std::uint32_t>(cell);
    case 3:
      return load_as<std::uint64_t>(cell);
    default:
      return load_as<term::Bits>(cell);
  }
}

void Array::store(std::uint8_t* cell, term::Bits value) const {
  switch (shift_) {
    case 0:
      return store_as<std::uint8_t>(cell, value);
    case 1:
      return store_as<std::uint16_t>(cell, value);
    case 2:
      return store_as<std::uint32_t>(cell, value);
    case 3:
      return store_as<std::uint64_t>(cell, value);
    default:
      return store_as<term::Bits>(cell, value);
  }
}

term::Bits Array::initial(std::uint64_t index) {
  if (has_constant_) return constant_;
  term::Bits value = 0;
  for (unsigned low = 0; low < width_; low += 8, ++index) {
    const term::Bits byte = environment_->initial_byte(index & index_mask_);
    value |= byte << low;
  }
  return term::truncate(value, width_);
}

std::uint8_t* Array::find_page(std::uint64_t number) {
  auto& cells = pages_[number];
  if (cells == nullptr) {
    cells = std::make_unique<std::uint8_t[]>(kPageCells << shift_);
    for (std::uint64_t i = 0; i < kPageCells; ++i) {
      store(cells.get() + (i << shift_), initial((number << kPageBits) + i));
    }
  }
  cache_[number % kCached] = {number, cells.get()};
  return cells.get();
}

std::uint64_t Array::read_narrow(std::uint64_t index, unsigned count) {
  if (listener_ == nullptr && is_simple(index, count)) {
    const std::uint8_t* const bytes = cell(index);
    switch (count) {
      case 1:
        return *bytes;
      case 2:
        return load_as<std::uint16_t>(bytes);
      case 4:
        return load_as<std::uint32_t>(bytes);
      case 8:
        return load_as<std::uint64_t>(bytes);
      default:
        break;
    }
  }
  return static_cast<std::uint64_t>(read(index, count));
}

term::Bits Array::read(std::uint64_t index, unsigned count) {
  note_read(index, count);
  term::Bits value = 0;
  for (unsigned i = 0; i < count; ++i) {
    value |= load(cell((index + i) & index_mask_)) << (i * width_);
  }
  return value;
}

void Array::write_narrow(std::uint64_t index, unsigned count,
                         std::uint64_t value) {
  if (listener_ == nullptr && is_simple(index, count)) {
    std::uint8_t* const bytes = cell(index);
    switch (count) {
      case 1:
        return store_as<std::uint8_t>(bytes, value);
      case 2:
        return store_as<std::uint16_t>(bytes, value);
      case 4:
        return store_as<std::uint32_t>(bytes, value);
      case 8:
        return store_as<std::uint64_t>(bytes, value);
      default:
        break;
    }
  }
  write(index, count, value);
}

void Array::write(std::uint64_t index, unsigned count, term::Bits value) {
  note_written(index, count);
  for (unsigned i = 0; i < count; ++i) {
    store(cell((index + i) & index_mask_),
          term::truncate(value >> (i * width_), width_));
  }
}

template <class Visit>
void Array::for_pages(std::uint64_t index, std::uint64_t count,
                      const Visit& visit) {
  while (count > 0) {
    index &= index_mask_;
    // Neither beyond the page nor beyond the last index.
    std::uint64_t number = std::min(count, kPageCells - index % kPageCells);
    if (number > index_mask_ - index) number = index_mask_ - index + 1;
    visit(index, number);
    index += number;
    count -= number;
  }
}

void Array::read_range(std::uint64_t index, std::uint64_t count,
                       std::uint8_t* to) {
  note_read(index, count);
  for_pages(index, count, [&](std::uint64_t first, std::uint64_t number) {
    std::memcpy(to, cell(first), number << shift_);
    to += number << shift_;
  });
}

void Array::write_range(std::uint64_t index, std::uint64_t count,
                        const std::uint8_t* from) {
  note_written(index, count);
  for_pages(index, count, [&](std::uint64_t first, std::uint64_t number) {
    std::memcpy(cell(first), from, number << shift_);
    from += number << shift_;
  });
}

void Array::zero(std::uint64_t index, std::uint64_t count) {
  note_written(index, count);
  for_pages(index, count, [&](std::uint64_t first, std::uint64_t number) {
    std::memset(cell(first), 0, number << shift_);
  });
}

void Array::forget(std::uint64_t index, std::uint64_t count) {
  // What is allocated may be much larger than what was ever touched.
  if (count / kPageCells > pages_.size()) return forget_pages(index, count);
  for_pages(index, count, [&](std::uint64_t first, std::uint64_t number) {
    if (!pages_.contains(first >> kPageBits)) return;
    for (std::uint64_t i = first; i < first + number; ++i) {
      store(cell(i), initial(i));
    }
  });
}

void Array::forget_pages(std::uint64_t index, std::uint64_t count) {
  for (const auto& [number, cells] : pages_) {
    for (std::uint64_t i = 0; i < kPageCells; ++i) {
      const std::uint64_t at = (number << kPageBits) + i;
      if (((at - index) & index_mask_) >= count) continue;
      store(cells.get() + (i << shift_), initial(at));
    }
  }
}

void Array::set_all(term::Bits value) {
  has_constant_ = true;
  constant_ = term::truncate(value, width_);
  pages_.clear();
  cache_ = {};
}

}  // namespace agon::ir::machine
