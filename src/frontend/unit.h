// SPDX-License-Identifier: Apache-2.0
/// What the lowering of one translation unit shares: places, messages, types,
/// and the symbols of the whole program.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/evaluation_order.h"
#include "frontend/leaves.h"
#include "frontend/pointer_uses.h"
#include "frontend/types.h"
#include "frontend/views.h"
#include "ir/program.h"
#include "ir/unreached.h"

namespace agon::frontend {

/// Where a variable of the source lives: in a variable, in one variable for
/// each of its fields, or in an object.
struct Storage {
  ir::VariableId variable;
  std::vector<ir::VariableId> parts;  ///< In order of the type's leaves.
  std::vector<Leaf> leaves;           ///< Of `parts`.
  ir::ObjectId object;
  /// A variable that holds the address; for arrays of variable length.
  ir::VariableId pointer;
};

/// What several translation units know by one name.
struct SharedNames {
  std::unordered_map<std::string, ir::FunctionId> functions;
  std::unordered_map<std::string, Storage> globals;
  std::unordered_set<std::string> address_taken;
  std::unordered_set<std::string> defined;  ///< Variables.
  RecordTable records;
  std::unordered_map<std::string, ir::FileId> files;
  ir::VariableId garbage;
  ir::ObjectId error_number;
  /// Routines that fragments describe.
  std::unordered_set<std::string> described;
  /// Those of them of which calls do what a fragment says.
  std::unordered_set<std::string> replaced;
  /// What stands for an allocator with events where it fails.
  std::unordered_map<std::string, ir::FunctionId> failing;
  bool overflow_is_error = false;        ///< As in the options.
  bool volatile_is_input = false;        ///< As in the options.
  bool malloc_may_fail = false;          ///< As in the options.
  bool constants_must_not_wrap = false;  ///< As in the options.
  EvaluationOrder order;
  bool order_matters = false;  ///< And this has been said.
  PointerUses pointers;
  std::vector<ir::UnreachedCall> unreached;
};

class Unit {
 public:
  Unit(clang::ASTContext& context, std::string directory, ir::Program& program,
       SharedNames& symbols);

  clang::ASTContext& clang() { return clang_; }
  ir::Program& program() { return program_; }
  term::Pool& pool() { return *program_.pool; }
  SharedNames& symbols() { return symbols_; }

  ir::Position position(clang::SourceLocation location);
  [[noreturn]] void fail(clang::SourceLocation location,
                         const std::string& message);

  /// Types, with `where` for the message if one is not supported.
  ir::TypeId type(clang::QualType type, clang::SourceLocation where);
  const ir::Type& info(ir::TypeId id) const { return program_.types[id]; }
  term::Sort sort(clang::QualType type, clang::SourceLocation where);
  std::uint64_t size_of(clang::QualType type) const;

  /// Whether a body that a program gives to this routine does not count.
  static bool has_fixed_meaning(std::string_view routine);
  /// The function of a declaration; made at first sight.
  ir::FunctionId function(const clang::FunctionDecl& declaration);
  /// A routine that lowering calls, without a body; it does not return.
  ir::FunctionId failure(const std::string& name, clang::SourceLocation where);
  /// The input that decides whether an allocator fails; nothing for routines
  /// that do not, or of which a specification says what they do.
  std::optional<std::string> failure_of(ir::FunctionId routine) const;
  /// A function of the same type, shown in the same way, that only returns
  /// null.
  ir::FunctionId failing(ir::FunctionId allocator);
  /// Where a variable with static storage lives; made at first sight.
  const Storage& global(const clang::VarDecl& declaration);
  /// Decides between variable, variables and object, and makes them.
  Storage allocate(const clang::VarDecl& declaration, ir::FunctionId owner);

  bool is_address_taken(const clang::VarDecl& declaration) const;
  void take_address(const clang::VarDecl& declaration);

  /// How pointers are converted here.
  Views& views() { return views_; }
  /// Marks the records that may be walked over, of those that were lowered.
  void mark_walked(bool anything);
  /// Tells the program how pointers are converted, and which numbers become
  /// pointers, to types that were lowered.
  void add_conversions();

  /// The object of a string literal.
  ir::ObjectId string(const clang::StringLiteral& literal);

  /// What `errno` stands for.
  ir::ObjectId error_number(clang::SourceLocation where);

  /// An array of arbitrary bytes, which uninitialised objects are copied from.
  ir::VariableId garbage();

  /// Static variables and functions that were met and are not lowered yet.
  std::vector<const clang::VarDecl*> pending_globals;
  std::vector<const clang::FunctionDecl*> pending_functions;

 private:
  std::string link_name(const clang::FunctionDecl& declaration) const;
  void declare_parameters(ir::FunctionId id,
                          const clang::FunctionDecl& declaration);
  void declare_results(ir::Function& function, clang::QualType type,
                       clang::SourceLocation where);
  void require_same(const Storage& storage, const clang::VarDecl& declaration);
  ir::Variable describe(const clang::VarDecl& declaration,
                        ir::FunctionId owner);

  clang::ASTContext& clang_;
  std::string directory_;  // Where the compiler was run.
  ir::Program& program_;
  SharedNames& symbols_;
  Types types_;
  Views views_;
  std::unordered_map<const clang::FunctionDecl*, ir::FunctionId> functions_;
  std::unordered_map<const clang::VarDecl*, Storage> statics_;
  /// All that were seen here, whoever made them.
  std::unordered_map<const clang::VarDecl*, const Storage*> globals_;
  std::unordered_set<const clang::VarDecl*> address_taken_;
  std::unordered_map<const clang::StringLiteral*, ir::ObjectId> strings_;
  std::string last_name_;
  ir::FileId last_id_;
};

}  // namespace agon::frontend
