// SPDX-License-Identifier: Apache-2.0
#include "ir/text_types.h"

#include <vector>

namespace agon::ir {
namespace {

/// The types that a type's layout or its declaration is made of.
std::vector<TypeId> parts_of(const TypeTable& types, TypeId id) {
  const Type& type = types[id];
  std::vector<TypeId> parts;
  const auto add = [&](TypeId part) {
    if (part.valid()) parts.push_back(part);
  };
  const auto add_unless_record = [&](TypeId part) {
    if (part.valid() && !types[part].is_record()) parts.push_back(part);
  };
  if (type.kind == TypeKind::Array) add(type.element);
  if (type.kind == TypeKind::Pointer || type.kind == TypeKind::Function) {
    add_unless_record(type.element);
    for (const TypeId part : type.parameters) add_unless_record(part);
  }
  for (const Field& field : type.fields) add(field.type);
  return parts;
}

}  // namespace

TypeId find_self_containing(const TypeTable& types) {
  enum class Mark : std::uint8_t { New, Open, Done };
  std::vector<Mark> marks(types.size(), Mark::New);
  std::vector<TypeId> stack;
  for (std::size_t i = 0; i < types.size(); ++i) {
    stack.push_back(TypeId::at(i));
    while (!stack.empty()) {
      const TypeId id = stack.back();
      Mark& mark = marks[id.index()];
      if (mark != Mark::New) {
        mark = Mark::Done;
        stack.pop_back();
        continue;
      }
      mark = Mark::Open;
      for (const TypeId part : parts_of(types, id)) {
        if (marks[part.index()] == Mark::Open) return part;
        if (marks[part.index()] == Mark::New) stack.push_back(part);
      }
    }
  }
  return {};
}

}  // namespace agon::ir
