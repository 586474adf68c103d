// SPDX-License-Identifier: Apache-2.0
#include "ir/unrelated.h"

#include <fmt/format.h>

#include <algorithm>

namespace agon::ir {

namespace {

constexpr const char* kAnything = "";  // Characters and void.

std::string without_stars(const std::string& key) {
  return key.substr(std::min(key.find_first_not_of('*'), key.size()));
}

}  // namespace

UnrelatedTypes::UnrelatedTypes(const Program& program) : program_(program) {
  const auto note = [&](TypeId type) {
    if (!type.valid()) return;
    for (const std::string& each : parts(type)) {
      converted_.insert(without_stars(each));
    }
  };
  converted_.insert(kAnything);
  for (const Conversion& each : program.conversions) {
    note(each.from);
    note(each.to);
  }
  for (std::size_t i = 0; i < program.types.size(); ++i) {
    const auto type = TypeId::at(i);
    if (program.types[type].kind == TypeKind::Union) note(type);
  }
}

bool UnrelatedTypes::is_kept(TypeId type) const {
  if (!type.valid()) return false;
  const Type& kind = program_.types[type];
  return kind.is_complete && kind.size > 0 && kind.kind != TypeKind::Function &&
         !converted_.contains(without_stars(key(type)));
}

bool UnrelatedTypes::operator()(TypeId a, TypeId b) const {
  return is_kept(a) && is_kept(b) && !parts(a).contains(key(b)) &&
         !parts(b).contains(key(a));
}

/// The same for types that may be one object's.
std::string UnrelatedTypes::key(TypeId id) const {
  if (!id.valid()) return kAnything;
  const Type& type = program_.types[id];
  switch (type.kind) {
    case TypeKind::Void:
    case TypeKind::Bool:
      return kAnything;
    case TypeKind::Integer:
    case TypeKind::Enum:
      return type.size == 1 ? kAnything : fmt::format("i{}", type.size);
    case TypeKind::Float:
      return fmt::format("f{}", type.size);
    case TypeKind::Pointer:
      return "*" + key(type.element);
    case TypeKind::Array:
      return key(type.element);
    case TypeKind::Function:
      return "function";
    case TypeKind::Struct:
    case TypeKind::Union:
      break;
  }
  if (!type.name.empty()) return "r" + type.name;
  std::string result = "s";  // Each file may have its own.
  for (const Field& field : type.fields) {
    result += fmt::format("({}:{})", field.offset, key(field.type));
  }
  return result;
}

void UnrelatedTypes::collect_parts(TypeId id, Keys& into) const {
  while (id.valid() && program_.types[id].kind == TypeKind::Array) {
    id = program_.types[id].element;
  }
  if (!into.insert(key(id)).second || !id.valid()) return;
  const Type& type = program_.types[id];
  for (const Field& field : type.fields) collect_parts(field.type, into);
  for (const TypeId each : type.parameters) collect_parts(each, into);
  if (type.kind == TypeKind::Function) collect_parts(type.element, into);
}

const UnrelatedTypes::Keys& UnrelatedTypes::parts(TypeId type) const {
  const auto [known, is_new] = parts_.try_emplace(type);
  if (is_new) collect_parts(type, known->second);
  return known->second;
}

}  // namespace agon::ir
