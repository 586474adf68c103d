// SPDX-License-Identifier: Apache-2.0
#include "ir/type.h"

#include <fmt/format.h>

#include <utility>

#include "support/error.h"

namespace agon::ir {
namespace {

/// The name of a type that is not built from others.
std::string base_name(const Type& type) {
  if (!type.name.empty()) return type.name;
  switch (type.kind) {
    case TypeKind::Void:
      return "void";
    case TypeKind::Bool:
      return "_Bool";
    case TypeKind::Integer:
      return fmt::format("{}int{}_t", type.is_signed ? "" : "u", 8 * type.size);
    case TypeKind::Enum:
      return "enum";
    case TypeKind::Float:
      return fmt::format("float{}_t", 8 * type.size);
    case TypeKind::Struct:
      return "struct";
    default:
      return "union";
  }
}

bool is_built_up(const Type& type) {
  return type.name.empty() &&
         (type.kind == TypeKind::Pointer || type.kind == TypeKind::Array ||
          type.kind == TypeKind::Function);
}

}  // namespace

TypeId TypeTable::add(Type type) {
  types_.push_back(std::move(type));
  return TypeId::at(types_.size() - 1);
}

void TypeTable::complete(TypeId id, Type type) {
  AGON_ASSERT(id.index() < types_.size());
  types_[id.index()] = std::move(type);
}

std::string TypeTable::to_string(TypeId id) const { return declare(id, ""); }

// A C declarator grows around the name from the inside out, while the type is
// read from the outside in: `pointer to array of int` is `int (*name)[]`.
std::string TypeTable::declare(TypeId id, const std::string& name) const {
  std::string declarator = name;
  for (; id.valid() && is_built_up((*this)[id]); id = (*this)[id].element) {
    const Type& type = (*this)[id];
    if (type.kind == TypeKind::Array) {
      declarator += type.count == 0 ? "[]" : fmt::format("[{}]", type.count);
    } else if (type.kind == TypeKind::Function) {
      std::string list;
      for (const TypeId parameter : type.parameters) {
        if (!list.empty()) list += ", ";
        list += to_string(parameter);
      }
      if (type.is_variadic) list += list.empty() ? "..." : ", ...";
      declarator += fmt::format("({})", list.empty() ? "void" : list);
    } else {
      const bool binds_looser = type.element.valid() &&
                                is_built_up((*this)[type.element]) &&
                                (*this)[type.element].kind != TypeKind::Pointer;
      declarator = binds_looser ? "(*" + declarator + ")" : "*" + declarator;
    }
  }
  const std::string base = id.valid() ? base_name((*this)[id]) : "void";
  if (declarator.empty()) return base;
  return base + (declarator[0] == '[' ? "" : " ") + declarator;
}

term::Sort TypeTable::sort(TypeId id) const {
  const Type& type = (*this)[id];
  AGON_ASSERT(type.is_scalar());
  const std::uint64_t width = 8 * type.size;
  AGON_ASSERT(width > 0 && width <= term::Sort::kMaxWidth);
  return term::Sort::bits(static_cast<unsigned>(width));
}

}  // namespace agon::ir
