// SPDX-License-Identifier: Apache-2.0
// From types to trees of arrays, records and cells.
#include <algorithm>
#include <limits>

#include "analysis/layout.h"
#include "support/error.h"

namespace agon::analysis {
namespace {

using ir::Type;
using ir::TypeKind;

/// Normal offsets have to fit beside kAnyOffset.
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 31;

/// Whether a type ends in an array whose length the declaration does not tell.
bool has_open_end(const ir::TypeTable& types, ir::TypeId id) {
  const Type& type = types[id];
  if (type.kind != TypeKind::Struct || type.fields.empty()) return false;
  const Type& last = types[type.fields.back().type];
  return last.kind == TypeKind::Array && last.count == 0;
}

/// An array of one element at the end may be meant as one of any length.
bool has_doubtful_end(const ir::TypeTable& types, ir::TypeId id) {
  const Type& type = types[id];
  if (type.kind != TypeKind::Struct || type.fields.size() < 2) return false;
  const Type& last = types[type.fields.back().type];
  return last.kind == TypeKind::Array && last.count == 1;
}

/// The size of one element of the object; 0 if it cannot be laid out.
std::uint64_t element_size(const ir::TypeTable& types, Shape shape) {
  if (!shape.type.valid()) return 0;
  const Type& type = types[shape.type];
  if (!type.is_scalar() && !type.is_record() && type.kind != TypeKind::Array) {
    return 0;
  }
  if (shape.is_open && has_doubtful_end(types, shape.type)) return 0;
  if (type.kind == TypeKind::Array && type.count == 0) {
    return element_size(types, {type.element, true});
  }
  return type.size;
}

std::int64_t end_of(std::int64_t offset, std::uint64_t size) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return size >= static_cast<std::uint64_t>(most - offset)
             ? most
             : offset + static_cast<std::int64_t>(size);
}

}  // namespace

Layout::Layout(const ir::TypeTable& types, Shape shape) : types_(types) {
  const std::uint64_t element = element_size(types, shape);
  if (element == 0 || element >= kMaxSize) {
    cells_.push_back({0, kUnbounded, {}});
    return;
  }
  const bool ends_open = has_open_end(types, shape.type);
  Node root;
  root.kind = Kind::Array;
  root.is_root = true;
  root.element = ends_open ? kUnbounded : element;
  root.size = shape.is_open || ends_open ? kUnbounded : element;
  const Type& type = types[shape.type];
  ir::TypeId inner = shape.type;
  if (type.kind == TypeKind::Array && type.count == 0) {
    root.size = kUnbounded;
    inner = type.element;
  }
  nodes_.push_back(root);
  build(inner, 0, 0, {});
}

std::uint32_t Layout::add(Node node, std::uint32_t parent) {
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  node.parent = parent;
  nodes_.push_back(std::move(node));
  nodes_[parent].children.push_back(id);
  return id;
}

std::uint32_t Layout::add_cell(Node node, std::uint32_t parent) {
  node.kind = Kind::Cell;
  node.cell = static_cast<std::uint32_t>(cells_.size());
  cells_.push_back(
      {static_cast<std::uint32_t>(node.offset), node.size, node.type});
  const std::uint32_t id = add(std::move(node), parent);
  node_of_cell_.push_back(id);
  return id;
}

void Layout::build(ir::TypeId id, std::int64_t offset, std::uint32_t parent,
                   const std::string& field) {
  const Type& type = types_[id];
  Node node;
  node.offset = offset;
  node.size = type.size;
  node.type = id;
  node.field = field;
  parts_.push_back({id, static_cast<std::uint32_t>(offset)});
  if (type.kind == TypeKind::Array) {
    node.kind = Kind::Array;
    node.element = types_[type.element].size;
    if (type.count == 0) node.size = kUnbounded;
    if (node.element == 0) return;
    const std::uint32_t array = add(std::move(node), parent);
    build(type.element, offset, array, {});
  } else if (type.is_record()) {
    node.kind = Kind::Record;
    if (has_open_end(types_, id)) node.size = kUnbounded;
    const std::uint32_t record = add(std::move(node), parent);
    if (type.kind == TypeKind::Struct) build_struct(id, record);
    if (type.kind == TypeKind::Union) build_union(id, record);
    fill_gaps(record);
  } else {
    add_cell(std::move(node), parent);
  }
}

void Layout::build_struct(ir::TypeId id, std::uint32_t record) {
  const std::int64_t start = nodes_[record].offset;
  std::vector<Node> bit_fields;
  const std::vector<ir::Field>& fields = types_[id].fields;
  for (const ir::Field& field : fields) {
    const auto offset = start + static_cast<std::int64_t>(field.offset);
    if (field.bit_width == 0) {
      add_merged(std::move(bit_fields), record);
      bit_fields.clear();
      // Only the last array may be without a length and still hold something.
      const Type& type = types_[field.type];
      const bool is_open = type.kind == TypeKind::Array && type.count == 0 &&
                           &field == &fields.back();
      if (type.size == 0 && !is_open) continue;
      build(field.type, offset, record, field.name);
      continue;
    }
    Node part;
    part.offset = offset;
    part.size = (field.bit_offset + field.bit_width + 7U) / 8U;
    part.field = field.name;
    if (!bit_fields.empty()) part.field = bit_fields.front().field + "+";
    bit_fields.push_back(std::move(part));
  }
  add_merged(std::move(bit_fields), record);
}

// Members of a union overlap, so its cells are the connected parts of all their
// scalars and arrays laid over each other.
void Layout::build_union(ir::TypeId id, std::uint32_t record) {
  std::vector<Node> parts;
  for (const ir::Field& field : types_[id].fields) {
    const std::size_t before = parts.size();
    solid_parts(field.type,
                nodes_[record].offset + static_cast<std::int64_t>(field.offset),
                parts);
    for (std::size_t i = before; i < parts.size(); ++i) {
      parts[i].field = parts[i].field.empty()
                           ? field.name
                           : field.name + "." + parts[i].field;
    }
  }
  add_merged(std::move(parts), record);
}

void Layout::solid_parts(ir::TypeId id, std::int64_t offset,
                         std::vector<Node>& parts) {
  const Type& type = types_[id];
  parts_.push_back({id, static_cast<std::uint32_t>(offset)});
  if (type.is_record()) {
    for (const ir::Field& field : type.fields) {
      const std::size_t before = parts.size();
      solid_parts(field.type, offset + static_cast<std::int64_t>(field.offset),
                  parts);
      for (std::size_t i = before; i < parts.size(); ++i) {
        if (parts[i].field.empty()) parts[i].field = field.name;
      }
    }
    return;
  }
  Node part;
  part.offset = offset;
  part.size = type.size;
  part.type = id;
  if (type.kind == TypeKind::Array) {
    const std::uint64_t element = types_[type.element].size;
    if (element == 0) return;
    part.type = {};
    part.inner.push_back(element);
    std::vector<Node> first;
    solid_parts(type.element, offset, first);
    for (const Node& node : first) {
      part.inner.insert(part.inner.end(), node.inner.begin(), node.inner.end());
    }
  }
  if (part.size > 0) parts.push_back(std::move(part));
}

void Layout::add_merged(std::vector<Node> parts, std::uint32_t record) {
  std::stable_sort(
      parts.begin(), parts.end(),
      [](const Node& a, const Node& b) { return a.offset < b.offset; });
  for (std::size_t i = 0; i < parts.size();) {
    Node merged = parts[i];
    std::int64_t end = end_of(merged.offset, merged.size);
    for (++i; i < parts.size() && parts[i].offset < end; ++i) {
      end = std::max(end, end_of(parts[i].offset, parts[i].size));
      if (parts[i].type != merged.type) merged.type = {};
      merged.inner.insert(merged.inner.end(), parts[i].inner.begin(),
                          parts[i].inner.end());
    }
    merged.size = static_cast<std::uint64_t>(end - merged.offset);
    if (merged.type.valid() && types_[merged.type].size != merged.size) {
      merged.type = {};
    }
    add_cell(std::move(merged), record);
  }
}

void Layout::fill_gaps(std::uint32_t record) {
  const std::int64_t end = end_of(nodes_[record].offset, nodes_[record].size);
  std::int64_t next = nodes_[record].offset;
  std::vector<std::uint32_t> children = nodes_[record].children;
  const auto fill = [&](std::int64_t to) {
    if (to <= next) return;
    Node gap;
    gap.offset = next;
    gap.size = static_cast<std::uint64_t>(to - next);
    gap.field = "(padding)";
    add_cell(std::move(gap), record);
  };
  for (const std::uint32_t child : children) {
    fill(nodes_[child].offset);
    next = std::max(next, end_of(nodes_[child].offset, nodes_[child].size));
  }
  if (nodes_[record].size != kUnbounded) fill(end);
  std::stable_sort(nodes_[record].children.begin(),
                   nodes_[record].children.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return nodes_[a].offset < nodes_[b].offset;
                   });
}

const Layout& Layouts::operator[](Shape shape) {
  std::unique_ptr<Layout>& layout = layouts_[shape];
  if (layout == nullptr) layout = std::make_unique<Layout>(types_, shape);
  return *layout;
}

}  // namespace agon::analysis
