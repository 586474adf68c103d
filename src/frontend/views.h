// SPDX-License-Identifier: Apache-2.0
/// Records that a program sees as something else.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace agon::frontend {

/// The casts of a translation unit by which pointers become pointers to
/// something else. A pointer that was made so of one into a record may walk
/// over the whole record, and not just over the array in it to which it points
/// at first; and one from outside may point to what the cast says.
class Views {
 public:
  /// By what the pointers point to, without qualifiers; null: integers.
  struct Conversion {
    clang::QualType from;
    clang::QualType to;
  };

  /// A number that becomes a pointer.
  struct Number {
    std::uint64_t value = 0;
    clang::QualType to;
  };

  explicit Views(const clang::ASTContext& context) : context_(context) {}

  /// Must have seen all code before anything is concluded.
  void note(const clang::Stmt& root);

  /// Whether something that may have been a record is walked over.
  bool walks_over_void() const { return walks_over_void_; }

  /// The records that may be walked over. `anything`: also if they were
  /// pointed to without a type meanwhile, in any unit. `has_body` tells of
  /// routines of the C library whether the program defines them itself.
  std::vector<const clang::RecordDecl*> walked(
      bool anything,
      const std::function<bool(const clang::FunctionDecl&)>& has_body) const;

  /// In the order of the text, each once.
  const std::vector<Conversion>& conversions() const { return conversions_; }

  /// Constants other than 0 that become pointers.
  const std::vector<Number>& numbers() const { return numbers_; }

 private:
  void note_call(const clang::CallExpr& call);
  void note_cast(const clang::CastExpr& cast);
  void note_cast(clang::QualType from, clang::QualType to);
  bool note_number(const clang::Expr& expr, clang::QualType to);
  void note_place(const clang::Expr& expr);
  void add_conversion(clang::QualType from, clang::QualType to);

  const clang::ASTContext& context_;
  std::unordered_set<const clang::RecordDecl*> walked_;
  std::unordered_set<const clang::RecordDecl*> untyped_;
  /// Casts of arguments, which count if the callee has a body.
  std::unordered_set<const clang::CastExpr*> given_away_;
  std::vector<std::pair<const clang::FunctionDecl*, const clang::RecordDecl*>>
      given_to_;
  bool walks_over_void_ = false;
  std::vector<Conversion> conversions_;
  std::vector<Number> numbers_;
  /// Numbers that another cast says the type for.
  std::unordered_set<const clang::CastExpr*> typed_numbers_;
  std::set<std::pair<const void*, const void*>> known_conversions_;
  /// What the parts of unions are whose addresses are taken.
  std::unordered_map<const clang::RecordDecl*, std::vector<clang::QualType>>
      places_in_unions_;
};

}  // namespace agon::frontend
