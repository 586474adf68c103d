// SPDX-License-Identifier: Apache-2.0
#include "frontend/types.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecordLayout.h>
#include <fmt/format.h>

#include <algorithm>

#include "support/error.h"

namespace agon::frontend {
namespace {

using ir::Type;
using ir::TypeId;
using ir::TypeKind;

[[noreturn]] void refuse(clang::QualType type) {
  throw support::InputError(
      fmt::format("the type '{}' is not supported", type.getAsString()));
}

Type of_kind(TypeKind kind) {
  Type type;
  type.kind = kind;
  return type;
}

std::string record_name(const clang::RecordDecl& record) {
  const char* tag = record.isUnion() ? "union" : "struct";
  if (record.getIdentifier() != nullptr) {
    return fmt::format("{} {}", tag, record.getName().str());
  }
  if (const auto* alias = record.getTypedefNameForAnonDecl()) {
    return alias->getName().str();
  }
  return fmt::format("{} <unnamed>", tag);
}

/// Whether compilers do not agree where the fields of a struct lie.
bool is_laid_out_differently(const clang::RecordDecl& record,
                             const clang::ASTContext& context) {
  const bool is_packed = record.hasAttr<clang::PackedAttr>() ||
                         record.hasAttr<clang::MaxFieldAlignmentAttr>();
  return is_packed &&
         std::ranges::any_of(record.fields(), [&](const auto* field) {
           return field->isBitField() &&
                  (record.isMsStruct(context) ||
                   field->template hasAttr<clang::AlignedAttr>());
         });
}

}  // namespace

ir::TypeId Types::lower(clang::QualType type) {
  if (type.hasAddressSpace()) refuse(type);
  const clang::QualType canonical =
      type.getCanonicalType().getUnqualifiedType();
  const clang::Type* key = canonical.getTypePtr();
  if (const auto found = known_.find(key); found != known_.end()) {
    return found->second;
  }
  const TypeId made = make(canonical);
  known_[key] = made;
  return made;
}

ir::TypeId Types::find(clang::QualType type) const {
  const auto found =
      known_.find(type.getCanonicalType().getUnqualifiedType().getTypePtr());
  return found == known_.end() ? TypeId() : found->second;
}

void Types::set_size(Type& type, clang::QualType from) const {
  const clang::TypeInfo info = context_.getTypeInfo(from);
  type.size = info.Width / 8;
  type.alignment = static_cast<std::uint32_t>(info.Align / 8);
}

TypeId Types::make(clang::QualType type) {
  if (const auto* atomic = type->getAs<clang::AtomicType>()) {
    const clang::QualType inside = atomic->getValueType();
    // Some structs are padded to a size that processors can exchange.
    if (context_.getTypeSize(type) != context_.getTypeSize(inside)) {
      refuse(type);
    }
    return lower(inside);
  }
  if (const auto* builtin = type->getAs<clang::BuiltinType>()) {
    return make_builtin(*builtin);
  }
  if (const auto* pointer = type->getAs<clang::PointerType>()) {
    Type made = of_kind(TypeKind::Pointer);
    set_size(made, type);
    made.element = lower(pointer->getPointeeType());
    return table_.add(std::move(made));
  }
  if (type->isArrayType()) return make_array(type);
  if (const auto* function = type->getAs<clang::FunctionType>()) {
    return make_function(*function);
  }
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    return make_enum(*enumeration);
  }
  if (const auto* record = type->getAs<clang::RecordType>()) {
    return make_record(*record);
  }
  refuse(type);
}

TypeId Types::make_builtin(const clang::BuiltinType& type) {
  Type made;
  const clang::QualType as_type(&type, 0);
  made.name = as_type.getAsString();
  if (type.getKind() == clang::BuiltinType::Void) {
    made.is_complete = false;
    return table_.add(std::move(made));
  }
  if (type.getKind() == clang::BuiltinType::Bool) {
    made.kind = TypeKind::Bool;
  } else if (type.isInteger()) {
    made.kind = TypeKind::Integer;
    made.is_signed = type.isSignedInteger();
  } else if (type.isFloatingPoint()) {
    made.kind = TypeKind::Float;
    made.is_signed = true;
  } else {
    refuse(as_type);
  }
  set_size(made, as_type);
  return table_.add(std::move(made));
}

TypeId Types::make_array(clang::QualType type) {
  const clang::ArrayType* array = context_.getAsArrayType(type);
  Type made = of_kind(TypeKind::Array);
  made.element = lower(array->getElementType());
  made.alignment = table_[made.element].alignment;
  if (const auto* fixed = llvm::dyn_cast<clang::ConstantArrayType>(array)) {
    made.count = fixed->getSize().getZExtValue();
    made.size = made.count * table_[made.element].size;
  } else {
    made.is_complete = false;
  }
  return table_.add(std::move(made));
}

TypeId Types::make_function(const clang::FunctionType& type) {
  Type made = of_kind(TypeKind::Function);
  made.is_complete = false;
  // A function type may contain itself through a struct; the id is needed
  // before the parts.
  const TypeId id = table_.add(made);
  known_[clang::QualType(&type, 0).getTypePtr()] = id;
  made.element = lower(type.getReturnType());
  if (const auto* prototype = llvm::dyn_cast<clang::FunctionProtoType>(&type)) {
    for (const clang::QualType parameter : prototype->param_types()) {
      made.parameters.push_back(lower(parameter));
    }
    made.is_variadic = prototype->isVariadic();
  } else {
    made.is_variadic = true;
  }
  made.is_complete = true;
  table_.complete(id, std::move(made));
  return id;
}

TypeId Types::make_enum(const clang::EnumType& type) {
  const clang::EnumDecl* declaration = type.getDecl();
  const clang::QualType underlying = declaration->getIntegerType();
  Type made = of_kind(TypeKind::Enum);
  made.name = declaration->getIdentifier() != nullptr
                  ? "enum " + declaration->getName().str()
                  : "int";
  if (underlying.isNull()) {
    made.is_complete = false;
    made.size = 4;
    made.alignment = 4;
    return table_.add(std::move(made));
  }
  made.is_signed = underlying->isSignedIntegerType();
  set_size(made, underlying);
  for (const clang::EnumConstantDecl* constant : declaration->enumerators()) {
    made.enumerators.push_back(
        {constant->getName().str(), constant->getInitVal().getExtValue()});
  }
  return table_.add(std::move(made));
}

std::string Types::fingerprint(const clang::RecordDecl& record) const {
  std::string text = record_name(record);
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
  fmt::format_to(std::back_inserter(text), "|{}",
                 layout.getSize().getQuantity());
  for (const clang::FieldDecl* field : record.fields()) {
    fmt::format_to(std::back_inserter(text), "|{}@{}:{}",
                   field->getName().str(),
                   layout.getFieldOffset(field->getFieldIndex()),
                   field->getType().getCanonicalType().getAsString());
    if (field->isBitField()) {
      fmt::format_to(std::back_inserter(text), ":{}",
                     field->getBitWidthValue(context_));
    }
    const auto* inner =
        context_.getBaseElementType(field->getType())->getAsRecordDecl();
    if (inner != nullptr) text += "{" + fingerprint(*inner) + "}";
  }
  return text;
}

TypeId Types::make_record(const clang::RecordType& type) {
  const clang::RecordDecl* record = type.getDecl()->getDefinition();
  if (record == nullptr || record->isInvalidDecl()) {
    Type made =
        of_kind(type.getDecl()->isUnion() ? TypeKind::Union : TypeKind::Struct);
    made.is_complete = false;
    made.name = record_name(*type.getDecl());
    return table_.add(std::move(made));
  }
  const bool shared = record->getIdentifier() != nullptr ||
                      record->getTypedefNameForAnonDecl() != nullptr;
  std::string key = shared ? fingerprint(*record) : std::string();
  if (shared) {
    if (const auto found = records_.find(key); found != records_.end()) {
      return found->second;
    }
  }
  Type incomplete{.kind =
                      record->isUnion() ? TypeKind::Union : TypeKind::Struct};
  incomplete.is_complete = false;
  incomplete.name = record_name(*record);
  const TypeId id = table_.add(std::move(incomplete));
  known_[clang::QualType(&type, 0).getCanonicalType().getTypePtr()] = id;
  if (shared) records_.emplace(std::move(key), id);
  table_.complete(id, layout(*record));
  return id;
}

Type Types::layout(const clang::RecordDecl& record) {
  Type made = of_kind(record.isUnion() ? TypeKind::Union : TypeKind::Struct);
  made.name = record_name(record);
  const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
  made.size = static_cast<std::uint64_t>(layout.getSize().getQuantity());
  made.alignment =
      static_cast<std::uint32_t>(layout.getAlignment().getQuantity());
  if (is_laid_out_differently(record, context_)) {
    refuse(context_.getRecordType(&record));
  }
  for (const clang::FieldDecl* field : record.fields()) {
    const std::uint64_t bit = layout.getFieldOffset(field->getFieldIndex());
    ir::Field lowered;
    lowered.name = field->getName().str();
    lowered.type = lower(field->getType());
    lowered.offset = bit / 8;
    if (field->isBitField()) {
      const unsigned width = field->getBitWidthValue(context_);
      if (width == 0) continue;
      lowered.bit_offset = static_cast<std::uint8_t>(bit % 8);
      lowered.bit_width = static_cast<std::uint16_t>(width);
    }
    made.fields.push_back(std::move(lowered));
  }
  return made;
}

}  // namespace agon::frontend
