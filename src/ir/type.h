// SPDX-License-Identifier: Apache-2.0
/// The C types of a program, as far as layout and readable output need them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/ids.h"
#include "term/sort.h"

namespace agon::ir {

enum class TypeKind : std::uint8_t {
  Void,
  Bool,
  Integer,  ///< Also characters.
  Enum,     ///< Laid out like the integer type that the compiler chose.
  Float,
  Pointer,
  Array,
  Struct,
  Union,
  Function,
};

struct Field {
  std::string name;  ///< Empty for an unnamed struct or union inside.
  TypeId type;
  std::uint64_t offset = 0;     ///< In bytes.
  std::uint8_t bit_offset = 0;  ///< Of a bit-field: beyond `offset`, below 8.
  std::uint16_t bit_width = 0;  ///< 0: not a bit-field.

  friend bool operator==(const Field&, const Field&) = default;
};

struct Enumerator {
  std::string name;
  std::int64_t value = 0;

  friend bool operator==(const Enumerator&, const Enumerator&) = default;
};

struct Type {
  TypeKind kind = TypeKind::Void;
  bool is_signed = false;
  bool is_complete = true;
  bool is_variadic = false;  ///< Functions.
  /// Of a struct or union: pointers to it are made into pointers that may go
  /// through it as through an array, whatever arrays it consists of.
  bool is_walked = false;
  std::uint64_t size = 0;  ///< In bytes.
  std::uint32_t alignment = 1;
  std::uint64_t count = 0;    ///< Arrays; 0 for an unknown or zero length.
  TypeId element;             ///< Pointee, element, or returned type.
  std::string name;           ///< `int`, `struct point`; empty where built up.
  std::vector<Field> fields;  ///< Of a struct or union.
  std::vector<TypeId> parameters;
  std::vector<Enumerator> enumerators;

  bool is_scalar() const {
    return kind >= TypeKind::Bool && kind <= TypeKind::Pointer;
  }
  bool is_record() const {
    return kind == TypeKind::Struct || kind == TypeKind::Union;
  }

  friend bool operator==(const Type&, const Type&) = default;
};

/// Types by number. Recursive ones are made incomplete first.
class TypeTable {
 public:
  TypeId add(Type type);
  /// Gives an incomplete type its definition.
  void complete(TypeId id, Type type);
  void mark_walked(TypeId id) { types_[id.index()].is_walked = true; }

  const Type& operator[](TypeId id) const { return types_[id.index()]; }
  std::size_t size() const { return types_.size(); }

  /// `const` is not kept: `unsigned char *[4]`, `struct point *`.
  std::string to_string(TypeId id) const;
  /// A declaration of `name`: `int (*f)(void)`, `char name[4]`.
  std::string declare(TypeId id, const std::string& name) const;

  /// The sort of a scalar's value: bit-vectors, _Bool and floats included.
  term::Sort sort(TypeId id) const;

  friend bool operator==(const TypeTable&, const TypeTable&) = default;

 private:
  std::vector<Type> types_;
};

}  // namespace agon::ir
