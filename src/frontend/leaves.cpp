// SPDX-License-Identifier: Apache-2.0
#include "frontend/leaves.h"

#include <algorithm>

#include "support/error.h"

namespace agon::frontend {
namespace {

using ir::Field;
using ir::Type;
using ir::TypeId;
using ir::TypeKind;
using ir::TypeTable;

class Lister {
 public:
  explicit Lister(const TypeTable& types) : types_(types) {}

  void list(TypeId id, std::uint64_t offset) {
    const Type& type = types_[id];
    if (type.is_scalar()) {
      add(offset, static_cast<std::uint32_t>(type.size), id);
    } else if (type.kind == TypeKind::Array) {
      const std::uint64_t step = types_[type.element].size;
      for (std::uint64_t i = 0; i < type.count; ++i) {
        list(type.element, offset + i * step);
      }
    } else if (type.kind == TypeKind::Struct) {
      list_struct(type, offset);
    } else if (type.kind == TypeKind::Union) {
      list_union(type, offset);
    }
  }

  std::vector<Leaf> take() { return std::move(leaves_); }

 private:
  void add(std::uint64_t offset, std::uint32_t size, TypeId type) {
    if (size != 0) leaves_.push_back({offset, size, type});
  }

  void add_bytes(std::uint64_t begin, std::uint64_t end) {
    for (; begin < end; ++begin) add(begin, 1, TypeId());
  }

  void list_struct(const Type& type, std::uint64_t offset) {
    std::uint64_t bytes_done = 0;  // Two bit-fields may share a byte.
    for (const Field& field : type.fields) {
      if (field.bit_width == 0) {
        list(field.type, offset + field.offset);
        continue;
      }
      const std::uint64_t end =
          field.offset + (field.bit_offset + field.bit_width + 7U) / 8;
      add_bytes(offset + std::max(field.offset, bytes_done), offset + end);
      bytes_done = std::max(bytes_done, end);
    }
  }

  void list_union(const Type& type, std::uint64_t offset) {
    const Field* largest = nullptr;
    std::uint64_t largest_size = 0;
    for (const Field& field : type.fields) {
      if (field.bit_width != 0) continue;
      if (largest == nullptr || types_[field.type].size > largest_size) {
        largest = &field;
        largest_size = types_[field.type].size;
      }
    }
    const std::size_t first = leaves_.size();
    if (largest != nullptr) list(largest->type, offset);
    fill_gaps(first, offset, offset + type.size);
  }

  // A struct lists bit-fields in their order, so leaves come sorted.
  void fill_gaps(std::size_t first, std::uint64_t begin, std::uint64_t end) {
    std::vector<Leaf> members(leaves_.begin() + static_cast<long>(first),
                              leaves_.end());
    leaves_.resize(first);
    for (const Leaf& leaf : members) {
      add_bytes(begin, leaf.offset);
      leaves_.push_back(leaf);
      begin = leaf.offset + leaf.size;
    }
    add_bytes(begin, end);
  }

  const TypeTable& types_;
  std::vector<Leaf> leaves_;
};

}  // namespace

std::uint64_t count_leaves(const TypeTable& types, TypeId id) {
  const Type& type = types[id];
  switch (type.kind) {
    case TypeKind::Array:
      return type.count * count_leaves(types, type.element);
    case TypeKind::Union:
      return type.size;
    case TypeKind::Struct: {
      std::uint64_t total = 0;
      for (const Field& field : type.fields) {
        total += field.bit_width == 0
                     ? count_leaves(types, field.type)
                     : (field.bit_offset + field.bit_width + 7U) / 8;
      }
      return total;
    }
    default:
      return type.is_scalar() ? 1 : 0;
  }
}

std::vector<Leaf> leaves(const TypeTable& types, TypeId type) {
  Lister lister(types);
  lister.list(type, 0);
  return lister.take();
}

bool is_splittable(const TypeTable& types, TypeId id) {
  const Type& type = types[id];
  if (type.kind != TypeKind::Struct) return type.is_scalar();
  return type.is_complete && count_leaves(types, id) <= kManyLeaves &&
         std::ranges::all_of(type.fields, [&](const Field& field) {
           return field.bit_width == 0 && is_splittable(types, field.type);
         });
}

std::string field_path(const TypeTable& types, TypeId id,
                       std::uint64_t offset) {
  std::string path;
  while (types[id].kind == TypeKind::Struct) {
    const std::vector<Field>& fields = types[id].fields;
    const auto field = std::find_if(
        fields.rbegin(), fields.rend(),
        [&](const Field& candidate) { return candidate.offset <= offset; });
    AGON_ASSERT(field != fields.rend());
    if (!field->name.empty()) path += "." + field->name;
    offset -= field->offset;
    id = field->type;
  }
  return path;
}

}  // namespace agon::frontend
