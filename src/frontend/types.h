// SPDX-License-Identifier: Apache-2.0
/// From Clang's types to those of a program.
#pragma once

#include <clang/AST/Type.h>

#include <string>
#include <unordered_map>

#include "ir/program.h"

namespace clang {
class ASTContext;
class RecordDecl;
}  // namespace clang

namespace agon::frontend {

/// Records by everything that matters about them, so that a struct which a
/// header gives to several translation units is one type of the program.
using RecordTable = std::unordered_map<std::string, ir::TypeId>;

class Types {
 public:
  Types(const clang::ASTContext& context, ir::TypeTable& table,
        RecordTable& records)
      : context_(context), table_(table), records_(records) {}

  /// Throws InputError (without a place) for types that Agon does not know.
  ir::TypeId lower(clang::QualType type);
  /// The same for a type that was lowered before; invalid otherwise.
  ir::TypeId find(clang::QualType type) const;

 private:
  ir::TypeId make(clang::QualType type);
  ir::TypeId make_builtin(const clang::BuiltinType& type);
  ir::TypeId make_array(clang::QualType type);
  ir::TypeId make_function(const clang::FunctionType& type);
  ir::TypeId make_enum(const clang::EnumType& type);
  ir::TypeId make_record(const clang::RecordType& type);
  ir::Type layout(const clang::RecordDecl& record);
  std::string fingerprint(const clang::RecordDecl& record) const;
  void set_size(ir::Type& type, clang::QualType from) const;

  const clang::ASTContext& context_;
  ir::TypeTable& table_;
  RecordTable& records_;
  std::unordered_map<const clang::Type*, ir::TypeId> known_;
};

}  // namespace agon::frontend
