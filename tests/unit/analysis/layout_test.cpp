// SPDX-License-Identifier: Apache-2.0
#include "analysis/layout.h"

#include <gtest/gtest.h>

#include "memory_program.h"

namespace agon::analysis {
namespace {

using ir::TypeId;
using Offsets = std::vector<std::uint32_t>;

class LayoutTest : public testing::Test {
 protected:
  Offsets step(const Layout& layout, std::uint32_t from, std::int64_t distance,
               std::vector<std::uint64_t> strides, bool is_apart = true) {
    return layout.move(from, {distance, std::move(strides), is_apart});
  }
  Layout node() { return Layout(p.program.types, {p.node, false}); }

  test::MemoryProgram p;
};

TEST_F(LayoutTest, FoldsElementsAndKeepsFieldsApart) {
  const Layout layout = node();
  EXPECT_EQ(layout.normal(0), 0U);
  EXPECT_EQ(layout.normal(8), 8U);
  EXPECT_EQ(layout.normal(19), 16U);  // name[3]
  EXPECT_EQ(layout.normal(32), 24U);  // v[2]
  EXPECT_EQ(layout.normal(34), 26U);
  EXPECT_EQ(layout.normal(64), kAnyOffset);
  EXPECT_EQ(layout.normal(-1), kAnyOffset);
  EXPECT_EQ(layout.path(layout.cell_at(24)), ".v[]");
  EXPECT_EQ(layout.path(layout.cell_at(8)), ".next");
}

TEST_F(LayoutTest, PaddingIsACellOfItsOwn) {
  const Layout layout = node();
  const Cell& cell = layout.cells()[layout.cell_at(4)];
  EXPECT_EQ(cell.offset, 4U);
  EXPECT_EQ(cell.size, 4U);
}

TEST_F(LayoutTest, MovesByConstants) {
  const Layout layout = node();
  EXPECT_EQ(step(layout, 0, 8, {}), Offsets{8});
  EXPECT_EQ(step(layout, 8, -8, {}), Offsets{0});
  EXPECT_EQ(step(layout, 0, 44, {}), Offsets{40});  // w[1]
  EXPECT_EQ(step(layout, 24, 4, {}), Offsets{24});  // v[0] to v[1]
  // From v[0] it is w, from v[2] it would leave the array.
  EXPECT_EQ(step(layout, 24, 16, {}), Offsets{40});
  EXPECT_EQ(step(layout, 0, 100, {}), Offsets{kAnyOffset});
}

TEST_F(LayoutTest, AVariableStepStaysInItsArray) {
  const Layout layout = node();
  EXPECT_EQ(step(layout, 0, 24, {4}), Offsets{24});
  EXPECT_EQ(step(layout, 40, 0, {8}), Offsets{40});
  // A constant that may be in the index: v[i] or w[i - 4].
  EXPECT_EQ(step(layout, 0, 24, {4}, false), (Offsets{16, 24, 40}));
  // w[i - 1] looks like v[i + 3].
  EXPECT_EQ(step(layout, 0, 36, {4}, false), (Offsets{16, 24, 40}));
  // No array there.
  EXPECT_EQ(step(layout, 0, 8, {8}), Offsets{kAnyOffset});
  EXPECT_EQ(step(layout, 0, 0, {4}), Offsets{kAnyOffset});
  // No array with such elements.
  EXPECT_EQ(step(layout, 0, 24, {2}), Offsets{kAnyOffset});
  EXPECT_EQ(step(layout, 0, 16, {1}), Offsets{16});
}

TEST_F(LayoutTest, CharactersAtTheStartMayWalkOverARecord) {
  const TypeId type = p.program.types.add(
      test::MemoryProgram::record("struct s", ir::TypeKind::Struct, 16,
                                  {p.field("name", p.array(p.character, 8), 0),
                                   p.field("n", p.long_type, 8)}));
  const Layout layout(p.program.types, {type, false});
  EXPECT_EQ(step(layout, 0, 0, {1}), Offsets{kAnyOffset});
}

TEST_F(LayoutTest, ArraysOfRecords) {
  const TypeId type = p.array(p.pair, 5);
  const Layout layout(p.program.types, {type, false});
  EXPECT_EQ(layout.cells().size(), 3U);  // x, padding, p
  EXPECT_EQ(layout.normal(16 * 3 + 8), 8U);
  EXPECT_EQ(step(layout, 8, 0, {16}), Offsets{8});
  EXPECT_EQ(step(layout, 8, 16 * 2 - 8, {}), Offsets{0});
  EXPECT_EQ(step(layout, 0, 0, {8}), Offsets{kAnyOffset});
  EXPECT_EQ(step(layout, 0, 16 * 5, {}), Offsets{0});  // Just behind.
  EXPECT_EQ(step(layout, 0, 16 * 7, {}), Offsets{kAnyOffset});
}

TEST_F(LayoutTest, UnionsMergeWhatOverlaps) {
  const Layout layout(p.program.types, {p.mix, false});
  EXPECT_EQ(layout.cells().size(), 1U);
  const TypeId type = p.program.types.add(test::MemoryProgram::record(
      "union u", ir::TypeKind::Union, 16,
      {p.field("a", p.pair, 0), p.field("n", p.integer, 0)}));
  const Layout apart(p.program.types, {type, false});
  EXPECT_EQ(apart.cell_at(0), apart.cell_at(3));
  EXPECT_NE(apart.cell_at(0), apart.cell_at(8));
}

TEST_F(LayoutTest, AnOpenEndIsAnArray) {
  ir::Type open = p.program.types[p.array(p.character, 1)];
  open.count = 0;
  open.size = 0;
  const TypeId tail = p.program.types.add(open);
  const TypeId type = p.program.types.add(test::MemoryProgram::record(
      "struct s", ir::TypeKind::Struct, 8,
      {p.field("n", p.long_type, 0), p.field("data", tail, 8)}));
  const Layout layout(p.program.types, {type, true});
  EXPECT_EQ(layout.normal(8), 8U);
  EXPECT_EQ(layout.normal(1000), 8U);
  EXPECT_EQ(step(layout, 0, 8, {1}), Offsets{8});
}

TEST_F(LayoutTest, SaysWhatARangeTouches) {
  const Layout layout = node();
  const auto cells = [&](std::uint32_t offset, std::uint64_t size) {
    Offsets result;
    for (const TouchedCell& cell : layout.touch(offset, size)) {
      result.push_back(layout.cells()[cell.cell].offset);
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  EXPECT_EQ(cells(0, 4), Offsets{0});
  EXPECT_EQ(cells(2, 4), (Offsets{0, 4}));
  EXPECT_EQ(cells(24, 4), Offsets{24});
  EXPECT_EQ(cells(24, 16), Offsets{24});
  EXPECT_EQ(cells(24, 20), (Offsets{24, 40}));
  EXPECT_EQ(cells(0, 64), (Offsets{0, 4, 8, 16, 24, 40, 56}));
  EXPECT_EQ(cells(kAnyOffset, 1).size(), 7U);
}

TEST_F(LayoutTest, KnowsWhenACopyCutsElements) {
  const Layout layout = node();
  const auto whole = [&](std::uint32_t offset, std::uint64_t size,
                         unsigned bytes) {
    const auto touched = layout.touch(offset, size);
    return std::all_of(touched.begin(), touched.end(),
                       [&](const TouchedCell& cell) {
                         return is_whole(cell, bytes, size, 0);
                       });
  };
  EXPECT_TRUE(whole(24, 16, 4));
  EXPECT_TRUE(whole(24, 8, 4));
  EXPECT_FALSE(whole(24, 10, 4));
  EXPECT_FALSE(whole(26, 8, 4));
  EXPECT_TRUE(whole(0, 4, 4));
  EXPECT_FALSE(whole(0, 3, 4));
}

TEST_F(LayoutTest, CopiesMeetAtTheSameDistance) {
  const Layout layout = node();
  const auto all = layout.touch(0, 64);
  for (const TouchedCell& a : all) {
    for (const TouchedCell& b : all) {
      EXPECT_EQ(may_meet(a, b), a.cell == b.cell);
    }
  }
  // A record laid over an array of integers.
  const Layout integers(p.program.types, {p.array(p.integer, 16), false});
  const auto elements = integers.touch(0, 64);
  ASSERT_EQ(elements.size(), 1U);
  for (const TouchedCell& a : all) EXPECT_TRUE(may_meet(a, elements[0]));
}

}  // namespace
}  // namespace agon::analysis
