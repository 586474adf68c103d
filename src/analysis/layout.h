// SPDX-License-Identifier: Apache-2.0
/// How objects divide into cells: scalars, with all elements of an array folded
/// onto the first one.
///
/// A *normal* offset is one inside the first elements. Pointer arithmetic is
/// followed on normal offsets under C's rule that a pointer stays inside the
/// array that it points into; where types do not say which array that is, the
/// answer is "any offset". Characters may walk over any object.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/type.h"

namespace agon::analysis {

/// Somewhere in the object.
inline constexpr std::uint32_t kAnyOffset = 0xffffffff;

/// A size that is not known.
inline constexpr std::uint64_t kUnbounded = ~std::uint64_t{0};

/// What an object consists of.
struct Shape {
  ir::TypeId type;  ///< Invalid: nothing is known, all bytes are one cell.
  /// Any number of elements of the type instead of one.
  bool is_open = false;

  friend auto operator<=>(const Shape&, const Shape&) = default;
};

/// What is added to a pointer.
struct Move {
  std::int64_t distance = 0;
  std::vector<std::uint64_t> strides;  ///< An unknown multiple of each.
  /// No constant of an index can be part of `distance`.
  bool is_apart = false;

  /// A step that may be taken any number of times before; 0: none.
  std::uint64_t repeated = 0;

  friend auto operator<=>(const Move&, const Move&) = default;
};

/// Bytes that are never told apart. Those of one object do not overlap.
struct Cell {
  std::uint32_t offset = 0;
  std::uint64_t size = 0;
  ir::TypeId type;  ///< Of the scalar; invalid if there is not exactly one.
};

/// A cell that a range of bytes overlaps.
struct TouchedCell {
  std::uint32_t cell = 0;  ///< Into `Layout::cells`.
  /// First byte of the cell relative to the start of the range; the first one
  /// in the range if it repeats.
  std::int64_t low = 0;
  std::int64_t high = 0;      ///< End of the last repetition, at most.
  std::uint64_t size = 0;     ///< Of the cell.
  std::uint64_t period = 0;   ///< It repeats at multiples of this; 0: never.
  std::uint64_t pattern = 0;  ///< Equal for cells that repeat alike.
  bool is_anywhere = false;   ///< Nothing is known about `low`.
};

/// Equal for cells that `may_meet` and alignment do not tell apart.
using TouchKey = std::tuple<bool, std::int64_t, std::int64_t, std::uint64_t,
                            std::uint64_t, std::uint64_t>;
TouchKey key_of(const TouchedCell& cell);

/// Whether bytes of one cell may be at the same place of a range as bytes of
/// the other, where both ranges are as long.
bool may_meet(const TouchedCell& a, const TouchedCell& b);

/// Whether a range of `size` bytes, or of any multiple of `stride` bytes if
/// `size` is kUnbounded, holds the first `bytes` bytes of the cell completely
/// wherever it holds any of them.
bool is_whole(const TouchedCell& cell, std::uint64_t bytes, std::uint64_t size,
              std::uint64_t stride);

/// The cells of one shape.
class Layout {
 public:
  Layout(const ir::TypeTable& types, Shape shape);

  bool is_untyped() const { return nodes_.empty(); }
  std::span<const Cell> cells() const { return cells_; }

  /// Every object inside, by type, with its normal offset; unions with all
  /// members.
  struct Part {
    ir::TypeId type;
    std::uint32_t offset = 0;
  };
  std::span<const Part> parts() const { return parts_; }

  /// The normal offset of the byte that far from the start.
  std::uint32_t normal(std::int64_t offset) const;

  /// Where a pointer to `offset` can point after a move. One kAnyOffset stands
  /// for all.
  std::vector<std::uint32_t> move(std::uint32_t offset, const Move& move) const;

  /// The cells that `size` bytes from a normal offset on overlap. kUnbounded:
  /// a multiple of `stride` bytes, to the end of the array there that fits, or
  /// else of the object.
  std::vector<TouchedCell> touch(std::uint32_t offset, std::uint64_t size,
                                 std::uint64_t stride = 0) const;

  /// The cell that holds a normal offset.
  std::uint32_t cell_at(std::uint32_t offset) const;

  /// The way from the object to a cell: `.next`, `[].key`, or empty.
  std::string path(std::uint32_t cell) const;
  /// The innermost struct or union with a name around a cell, and the way from
  /// there; an invalid type if there is none.
  std::pair<ir::TypeId, std::string> record_path(std::uint32_t cell) const;

 private:
  enum class Kind : std::uint8_t { Cell, Array, Record };

  struct Node {
    Kind kind = Kind::Cell;
    std::uint32_t parent = 0;
    std::int64_t offset = 0;
    std::uint64_t size = 0;     // kUnbounded at the end of an open record.
    std::uint64_t element = 0;  // Size of the elements of an array.
    bool is_root = false;
    std::uint32_t cell = 0;
    ir::TypeId type;
    std::string field;
    std::vector<std::uint32_t> children;  // In order of offset.
    std::vector<std::uint64_t> inner;     // Element sizes of arrays in a cell.
  };
  struct Range;

  // Construction.
  std::uint32_t add(Node node, std::uint32_t parent);
  void build(ir::TypeId type, std::int64_t offset, std::uint32_t parent,
             const std::string& field);
  void build_struct(ir::TypeId type, std::uint32_t record);
  void build_union(ir::TypeId type, std::uint32_t record);
  void solid_parts(ir::TypeId type, std::int64_t offset,
                   std::vector<Node>& parts);
  void add_merged(std::vector<Node> parts, std::uint32_t record);
  void fill_gaps(std::uint32_t record);
  std::uint32_t add_cell(Node node, std::uint32_t parent);

  // Movement.
  std::vector<std::uint32_t> way_to(std::int64_t offset) const;
  std::int64_t fold(std::uint32_t node, std::int64_t offset) const;
  std::uint32_t child_at(const Node& record, std::int64_t offset) const;
  bool shift(std::int64_t offset, std::int64_t distance,
             std::vector<std::int64_t>& to) const;
  bool shift_in_array(const Node& array, std::int64_t offset,
                      std::int64_t distance) const;
  bool fits(std::int64_t offset, std::span<const std::uint64_t> strides) const;
  bool fits(std::span<const std::uint32_t> way, std::uint64_t stride) const;
  bool fits(std::span<const std::uint32_t> way, std::size_t depth,
            std::uint64_t stride) const;
  bool is_start_of_more(std::span<const std::uint32_t> way,
                        std::size_t depth) const;
  bool is_in_walked(std::span<const std::uint32_t> way,
                    std::size_t depth) const;
  bool shift_out(const Node& array, std::int64_t offset, std::int64_t distance,
                 std::vector<std::int64_t>& to) const;
  std::vector<std::int64_t> origins(std::int64_t offset,
                                    std::int64_t distance) const;
  bool add_elsewhere(std::int64_t offset, std::int64_t distance,
                     std::span<const std::uint64_t> strides,
                     std::vector<std::int64_t>& to) const;
  std::int64_t end_of_array(std::uint32_t offset, std::uint64_t stride) const;
  void collect(std::uint32_t node, const Range& range,
               std::vector<TouchedCell>& to) const;
  void collect_array(const Node& array, const Range& range,
                     std::vector<TouchedCell>& to) const;

  const ir::TypeTable& types_;
  std::vector<Node> nodes_;  // The first is the root, an array.
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> node_of_cell_;
  std::vector<Part> parts_;
};

/// Layouts by shape, made when first asked for. Refers to the types.
class Layouts {
 public:
  explicit Layouts(const ir::TypeTable& types) : types_(types) {}

  const Layout& operator[](Shape shape);
  const ir::TypeTable& types() const { return types_; }

 private:
  const ir::TypeTable& types_;
  std::map<Shape, std::unique_ptr<Layout>> layouts_;
};

}  // namespace agon::analysis
