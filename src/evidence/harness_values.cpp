// SPDX-License-Identifier: Apache-2.0
// Types and values in a harness, as far as the calling convention is concerned.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "evidence/harness_writer.h"

namespace agon::evidence {

std::string HarnessWriter::c_type(ir::TypeId id) const {
  static constexpr std::array<const char*, 17> kIntegers = {
      "", "char", "short", "", "int", "", "", "",        "long long",
      "", "",     "",      "", "",    "", "", "__int128"};
  const ir::Type& type = program_.types[id];
  switch (type.kind) {
    case ir::TypeKind::Void:
      return "void";
    case ir::TypeKind::Bool:
      return "_Bool";
    case ir::TypeKind::Pointer:
      return "void *";
    case ir::TypeKind::Float:
      return type.size == 4   ? "float"
             : type.size == 8 ? "double"
                              : "long double";
    case ir::TypeKind::Integer:
    case ir::TypeKind::Enum:
      return fmt::format("{} {}", type.is_signed ? "signed" : "unsigned",
                         kIntegers.at(std::min<std::uint64_t>(type.size, 16)));
    case ir::TypeKind::Struct:
      return record_type(id);
    default:
      throw Impossible{fmt::format("a value of type '{}' is passed",
                                   program_.types.to_string(id))};
  }
}

/// A value of a type as an expression; pointers may need the arguments.
std::string HarnessWriter::value(ir::TypeId id, Bits bits,
                                 const ScriptStep* step) const {
  const ir::Type& type = program_.types[id];
  if (type.kind == ir::TypeKind::Pointer) return pointer(bits, step);
  if (type.kind == ir::TypeKind::Float) {
    if (type.size > 8) throw Impossible{"a long double is passed"};
    return fmt::format("agon_{}({})", type.size == 4 ? "float" : "double",
                       literal(bits));
  }
  if (may_be_address(type)) {
    return fmt::format("({}){}", c_type(id), pointer(bits, step));
  }
  return fmt::format("({}){}", c_type(id), literal(bits));
}

/// Where the program makes pointers of integers.
bool HarnessWriter::may_be_address(const ir::Type& type) const {
  return 8 * type.size == program_.pointer_width() &&
         std::ranges::any_of(
             program_.conversions,
             [](const ir::Conversion& each) { return !each.from.valid(); });
}

/// A struct of the same layout, and with the same calling convention.
std::string HarnessWriter::record_type(ir::TypeId id) const {
  const ir::Type& type = program_.types[id];
  const std::string name = fmt::format("struct agon_record_{}", id.value());
  std::string fields;
  std::uint64_t end = 0;
  const auto aligned = [](std::uint64_t at, std::uint64_t alignment) {
    return (at + alignment - 1) / alignment * alignment;
  };
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    const ir::Field& field = type.fields[i];
    ir::TypeId of = field.type;
    const ir::Type& inner = program_.types[of];
    if (field.bit_width != 0 || field.offset != aligned(end, inner.alignment)) {
      throw Impossible{fmt::format("'{}', which is not plain, is passed",
                                   program_.types.to_string(id))};
    }
    end = field.offset + inner.size;
    std::string dimensions;
    while (program_.types[of].kind == ir::TypeKind::Array) {
      dimensions += fmt::format("[{}]", program_.types[of].count);
      of = program_.types[of].element;
    }
    fields += fmt::format(" {} f{}{};", c_type(of), i, dimensions);
  }
  declare(fmt::format("{} {{{} }} __attribute__((aligned({})));\n", name,
                      fields, type.alignment));
  return name;
}

/// The scalars that a value is passed as, with the way to each from the whole.
std::vector<HarnessWriter::Part> HarnessWriter::parts(ir::TypeId id) const {
  const ir::Type& type = program_.types[id];
  constexpr std::uint64_t kMostBytes = 4096;
  if (type.size > kMostBytes) throw Impossible{"a large struct is passed"};
  std::vector<Part> result;
  const auto add = [&](ir::TypeId inner, const std::string& way) {
    for (const Part& part : parts(inner)) {
      result.push_back({part.type, way + part.way});
    }
  };
  if (type.kind == ir::TypeKind::Struct) {
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      add(type.fields[i].type, fmt::format(".f{}", i));
    }
  } else if (type.kind == ir::TypeKind::Array) {
    for (std::uint64_t i = 0; i < type.count; ++i) {
      add(type.element, fmt::format("[{}]", i));
    }
  } else {
    result.push_back({id, ""});
  }
  return result;
}

/// The first of some values as an expression; they are taken away.
std::string HarnessWriter::take_value(ir::TypeId id, std::span<const Bits>& all,
                                      const ScriptStep* step) const {
  const auto next = [&] {
    const Bits bits = all.empty() ? 0 : all.front();
    if (!all.empty()) all = all.subspan(1);
    return bits;
  };
  if (program_.types[id].kind != ir::TypeKind::Struct) {
    return value(id, next(), step);
  }
  std::string text = fmt::format("({}){{", c_type(id));
  for (const Part& part : parts(id)) {
    text += fmt::format("{} = {}, ", part.way, value(part.type, next(), step));
  }
  return text + "}";
}

/// What the scalars are called that a routine is given.
std::vector<std::string> HarnessWriter::arguments(
    const ScriptStep& step) const {
  const ir::Type* const type = type_of(step.routine);
  std::vector<std::string> names;
  for (std::size_t i = 0; type != nullptr && i < type->parameters.size(); ++i) {
    for (const Part& part : parts(type->parameters[i])) {
      names.push_back(fmt::format("a{}{}", i, part.way));
    }
  }
  names.resize(std::min(names.size(), step.arguments.size()));
  return names;
}

}  // namespace agon::evidence
