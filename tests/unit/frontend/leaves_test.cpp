// SPDX-License-Identifier: Apache-2.0
#include "frontend/leaves.h"

#include <gtest/gtest.h>

namespace agon::frontend {
namespace {

using ir::Type;
using ir::TypeId;
using ir::TypeKind;

TypeId add(ir::TypeTable& types, TypeKind kind, std::uint64_t size) {
  Type type;
  type.kind = kind;
  type.size = size;
  return types.add(std::move(type));
}

TypeId add_record(ir::TypeTable& types, TypeKind kind, std::uint64_t size,
                  std::vector<ir::Field> fields) {
  Type type;
  type.kind = kind;
  type.size = size;
  type.fields = std::move(fields);
  return types.add(std::move(type));
}

std::vector<std::pair<std::uint64_t, std::uint32_t>> shape(
    const std::vector<Leaf>& leaves) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> result;
  for (const Leaf& leaf : leaves) result.emplace_back(leaf.offset, leaf.size);
  return result;
}

using Shape = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

TEST(Leaves, LeaveOutThePaddingOfAStruct) {
  ir::TypeTable types;
  const TypeId c = add(types, TypeKind::Integer, 1);
  const TypeId i = add(types, TypeKind::Integer, 4);
  const TypeId s = add_record(types, TypeKind::Struct, 8,
                              {{"c", c, 0, 0, 0}, {"i", i, 4, 0, 0}});
  EXPECT_EQ(shape(leaves(types, s)), (Shape{{0, 1}, {4, 4}}));
  EXPECT_TRUE(is_splittable(types, s));
  EXPECT_EQ(field_path(types, s, 4), ".i");
}

TEST(Leaves, CoverEveryByteOfAUnion) {
  ir::TypeTable types;
  const TypeId c = add(types, TypeKind::Integer, 1);
  const TypeId i = add(types, TypeKind::Integer, 4);
  const TypeId s = add_record(types, TypeKind::Struct, 8,
                              {{"c", c, 0, 0, 0}, {"i", i, 4, 0, 0}});
  const TypeId u = add_record(types, TypeKind::Union, 8,
                              {{"i", i, 0, 0, 0}, {"s", s, 0, 0, 0}});
  // Another member may have put something into the padding of the struct.
  EXPECT_EQ(shape(leaves(types, u)),
            (Shape{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 4}}));
  EXPECT_FALSE(is_splittable(types, u));
}

TEST(Leaves, CoverBitFieldsByBytesOnce) {
  ir::TypeTable types;
  const TypeId i = add(types, TypeKind::Integer, 4);
  const TypeId s =
      add_record(types, TypeKind::Struct, 8,
                 {{"a", i, 0, 0, 3}, {"b", i, 0, 3, 7}, {"n", i, 4, 0, 0}});
  EXPECT_EQ(shape(leaves(types, s)), (Shape{{0, 1}, {1, 1}, {4, 4}}));
  EXPECT_FALSE(is_splittable(types, s));
}

TEST(Leaves, ListTheElementsOfArrays) {
  ir::TypeTable types;
  Type array;
  array.kind = TypeKind::Array;
  array.element = add(types, TypeKind::Integer, 2);
  array.count = 3;
  array.size = 6;
  const TypeId a = types.add(std::move(array));
  EXPECT_EQ(shape(leaves(types, a)), (Shape{{0, 2}, {2, 2}, {4, 2}}));
  EXPECT_EQ(count_leaves(types, a), 3U);
}

}  // namespace
}  // namespace agon::frontend
