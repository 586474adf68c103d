// SPDX-License-Identifier: Apache-2.0
/// Lowers the body of one function, statement by statement.
///
/// Expressions become terms. Side effects are emitted in front of the statement
/// that needs the value, from left to right; a value that was computed before a
/// side effect is kept in a temporary. `&&`, `||` and `?:` become control flow
/// where they decide a branch or where an operand has side effects, and
/// conditional terms otherwise.
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/unit.h"

namespace agon::frontend {

/// Something that can be read and assigned.
struct LValue {
  clang::QualType type;
  ir::VariableId variable;         ///< Valid: a plain variable.
  const Storage* split = nullptr;  ///< Valid: fields of a split variable…
  std::uint64_t offset = 0;        ///< …from this offset on.
  term::Term address;              ///< Valid: in memory.
  std::uint8_t bit_offset = 0;     ///< Of a bit-field, in memory.
  std::uint16_t bit_width = 0;     ///< 0: not a bit-field.
};

/// What an _Atomic holds; any other type itself.
inline clang::QualType without_atomic(clang::QualType type) {
  const auto* atomic = type->getAs<clang::AtomicType>();
  if (atomic == nullptr) return type;
  return atomic->getValueType().withCVRQualifiers(type.getCVRQualifiers());
}

/// The bits of a number of Clang's, at most 128.
term::Bits to_bits(const llvm::APInt& number);

/// The values of all leaves of a struct or union.
using Leaves = std::vector<term::Term>;

class Lowering {
 public:
  explicit Lowering(Unit& unit) : unit_(unit), pool_(unit.pool()) {}

  /// Lowers a definition into its function of the program; one after another.
  void run(const clang::FunctionDecl& definition);

  /// The cells that a static initialiser gives to an object or variable.
  struct StaticCell {
    std::uint64_t offset = 0;
    term::Term value;
  };
  std::vector<StaticCell> static_initialiser(clang::QualType type,
                                             const clang::Expr& init);

 private:
  // Emitting. `lowering.cpp`
  void forget();  ///< The function before.
  ir::LocationId new_location() { return cfa_.add_location(); }
  void emit(ir::Statement statement, clang::SourceLocation where);
  void edge(ir::LocationId from, ir::LocationId to, ir::Statement statement,
            clang::SourceLocation where);
  void jump(ir::LocationId to, clang::SourceLocation where);
  void stop() { here_ = new_location(); }  ///< What follows is not reached.
  void continue_at(ir::LocationId location) { here_ = location; }
  void assign(ir::VariableId target, term::Term value,
              clang::SourceLocation where);
  ir::VariableId temporary(term::Sort sort, ir::TypeId type = {});
  term::Term any(term::Sort sort, ir::HavocReason reason,
                 clang::SourceLocation where, ir::TypeId type = {});
  term::Term any_float(term::Sort sort, clang::SourceLocation where);
  term::Term keep(term::Term value, clang::SourceLocation where);
  term::Term memory() const;
  void set_up_parameters(const clang::FunctionDecl& definition);
  [[noreturn]] void unsupported(const clang::Stmt& node,
                                const std::string& what);
  static bool evaluates_lengths(const clang::Expr& expr);
  bool has_effects(const clang::Expr& expr);
  /// Says so where it may matter that the first is evaluated before the second.
  void note_order(const clang::Expr& first, const clang::Expr& second,
                  EvaluationOrder::Use use = EvaluationOrder::Use::Value);
  void note_order(const std::vector<const clang::Expr*>& all);

  // Statements. `statements.cpp`
  void statement(const clang::Stmt& stmt);
  void declaration(const clang::DeclStmt& stmt);
  void local_variable(const clang::VarDecl& variable);
  void variable_array(const clang::VarDecl& variable);
  void uninitialised(const LValue& target, clang::SourceLocation where);
  void if_statement(const clang::IfStmt& stmt);
  void while_statement(const clang::WhileStmt& stmt);
  void do_statement(const clang::DoStmt& stmt);
  void for_statement(const clang::ForStmt& stmt);
  void switch_statement(const clang::SwitchStmt& stmt);
  void label(ir::LocationId location, const clang::Stmt& body);
  void leave(ir::LocationId to, const clang::Stmt& stmt);
  void loop_condition(const clang::Expr& condition, ir::LocationId yes,
                      ir::LocationId no);
  void return_statement(const clang::ReturnStmt& stmt);
  void assembly(const clang::AsmStmt& stmt);
  term::Term variable_argument(const clang::VAArgExpr& expr);
  void told(const clang::Expr& input);
  void arbitrary_output(const LValue& place, clang::SourceLocation where);
  void fall_off_the_end(const clang::FunctionDecl& definition);
  ir::LocationId label_location(const clang::LabelDecl& label);

  // Conditions. `conditions.cpp`
  void branch(const clang::Expr& condition, ir::LocationId yes,
              ir::LocationId no);
  void split(term::Term condition, ir::LocationId yes, ir::LocationId no,
             clang::SourceLocation where);
  term::Term condition(const clang::Expr& expr);
  term::Term truth(term::Term value);
  term::Term flag(term::Term condition, clang::QualType type);

  // Values. `expressions.cpp`, `operators.cpp`
  term::Term value(const clang::Expr& expr);
  term::Term value_before(const clang::Expr& expr, const clang::Expr& next);
  void effect(const clang::Expr& expr);
  term::Term cast(const clang::CastExpr& expr);
  term::Term conditional(const clang::AbstractConditionalOperator& expr);
  term::Term unary(const clang::UnaryOperator& expr);
  term::Term binary(const clang::BinaryOperator& expr);
  term::Term arithmetic(clang::BinaryOperatorKind op, term::Term a,
                        term::Term b, clang::QualType type,
                        clang::SourceLocation where);
  /// The same for an operator of the source, which may overflow.
  term::Term checked(clang::BinaryOperatorKind op, term::Term a, term::Term b,
                     clang::QualType type, clang::SourceLocation where);
  void refuse_wrapping(clang::BinaryOperatorKind op, term::Term a, term::Term b,
                       clang::QualType type, clang::SourceLocation where);
  void note_wide_field(const clang::Expr& operand);
  void note_addresses(clang::SourceLocation where);
  void note_moved(clang::QualType pointer);
  void note_moved(const clang::Expr& place);
  bool may_point_to_nothing(const clang::Expr& pointer) const;
  void note_compared(const clang::BinaryOperator& expr);
  void note_pointer_cast(clang::QualType from, clang::QualType to);
  ir::TypeId pointee(clang::QualType pointer);
  term::Term negated(term::Term operand, clang::QualType type,
                     clang::SourceLocation where);
  bool may_overflow(clang::QualType type) const;
  void fail_on_overflow(term::Term condition, clang::SourceLocation where);
  term::Term shift(clang::BinaryOperatorKind op, term::Term a, term::Term b,
                   bool is_signed, clang::SourceLocation where);
  term::Term comparison(const clang::BinaryOperator& expr);
  term::Term pointer_sum(term::Term pointer, term::Term index,
                         clang::QualType index_type,
                         clang::QualType pointer_type, bool subtract);
  term::Term pointer_difference(const clang::BinaryOperator& expr);
  term::Term assignment(const clang::BinaryOperator& expr, bool is_used);
  term::Term compound_assignment(const clang::CompoundAssignOperator& expr,
                                 bool is_used);
  term::Term increment(const clang::UnaryOperator& expr, bool is_used);
  term::Term convert(term::Term value, clang::QualType from, clang::QualType to,
                     clang::SourceLocation where);
  term::Term guarded(term::Term result, term::Term undefined,
                     clang::SourceLocation where);
  term::Term trait(const clang::UnaryExprOrTypeTraitExpr& expr);
  term::Term size_of(clang::QualType type, clang::SourceLocation where);
  void evaluate_array_sizes(clang::QualType type, clang::SourceLocation where);
  term::Term floating(const clang::Expr& expr);
  term::Term statement_expression(const clang::StmtExpr& expr);
  term::Term bits(std::uint64_t value, clang::QualType type);
  bool is_signed(clang::QualType type) const;

  // Places. `lvalues.cpp`
  LValue lvalue(const clang::Expr& expr);
  LValue variable_reference(const clang::VarDecl& variable,
                            clang::SourceLocation where);
  LValue member(const clang::MemberExpr& expr);
  LValue field(LValue base, const clang::FieldDecl& field);
  LValue compound_literal(const clang::CompoundLiteralExpr& expr);
  LValue temporary_record(const clang::Expr& expr);
  LValue settled(LValue place, clang::SourceLocation where);
  term::Term address(const LValue& place, clang::SourceLocation where);
  term::Term load(const LValue& place, clang::SourceLocation where);
  bool is_input(const LValue& place, clang::SourceLocation where);
  term::Term any_input(unsigned width, ir::TypeId type,
                       clang::SourceLocation where);
  void store(const LValue& place, term::Term value,
             clang::SourceLocation where);
  term::Term store_result(const LValue& place, term::Term value, bool is_used,
                          clang::SourceLocation where);
  void write(term::Term address, term::Term value, clang::SourceLocation where);
  LValue in_storage(const Storage& storage, clang::QualType type);

  // Structs and initialisers. `records.cpp`, `initialisers.cpp`
  Leaves record(const clang::Expr& expr);
  Leaves load_record(const LValue& place, clang::SourceLocation where);
  void store_record(const LValue& place, const Leaves& values,
                    clang::SourceLocation where);
  void store_parts(const LValue& place, Leaves values,
                   clang::SourceLocation where);
  void assign_record(const LValue& place, const clang::Expr& expr);
  void copy_record(const LValue& place, const LValue& from,
                   clang::SourceLocation where);
  const std::vector<Leaf>& leaves_of(clang::QualType type,
                                     clang::SourceLocation where);
  void initialise(const LValue& place, const clang::Expr& init);
  void note_order_of_parts(const clang::Expr& init);
  void zero(const LValue& place, clang::SourceLocation where);
  /// Called for each scalar or struct that an initialiser gives a value.
  using Sink =
      std::function<void(const LValue& place, const clang::Expr*, term::Term)>;
  term::Term static_value(const clang::Expr& expr);
  void walk_initialiser(const LValue& place, const clang::Expr& init,
                        const Sink& sink);
  void walk_array(const LValue& place, const clang::InitListExpr& list,
                  const Sink& sink);
  void walk_fields(const LValue& place, const clang::InitListExpr& list,
                   const Sink& sink);
  void walk_string(const LValue& place, const clang::StringLiteral& literal,
                   const Sink& sink);
  LValue element(const LValue& array, std::uint64_t index);

  // Calls. `calls.cpp`, `builtins.cpp`
  Leaves call(const clang::CallExpr& expr);
  Leaves emit_call(ir::Call call, clang::QualType result,
                   clang::SourceLocation where);
  Leaves emit_allocation(ir::Call call, const std::string& failure,
                         clang::QualType type, clang::SourceLocation where);
  std::vector<term::Term> arguments(const clang::CallExpr& expr);
  void adapt(ir::Call& call, clang::SourceLocation where);
  void check_format(const clang::CallExpr& expr, ir::FunctionId callee);
  std::optional<Leaves> special_routine(const clang::CallExpr& expr,
                                        const clang::FunctionDecl& callee);
  std::optional<Leaves> builtin(const clang::CallExpr& expr,
                                const clang::FunctionDecl& callee);
  std::optional<Leaves> floating_routine(const clang::CallExpr& expr,
                                         const clang::FunctionDecl& callee);
  std::optional<Leaves> known_result(const clang::CallExpr& expr);
  /// Whether the program has a body for a routine of the library.
  bool has_own_definition(const clang::FunctionDecl& callee) const;
  std::optional<term::Term> bit_builtin(llvm::StringRef name,
                                        const clang::CallExpr& expr);
  Leaves overflow_builtin(clang::BinaryOperatorKind op,
                          const clang::CallExpr& expr);
  term::Term atomic(const clang::AtomicExpr& expr);
  std::optional<Leaves> sync_builtin(llvm::StringRef name,
                                     const clang::CallExpr& expr);
  term::Term exchange(term::Term address, term::Term operand,
                      std::optional<clang::BinaryOperatorKind> op, bool nand,
                      bool answer_new, clang::SourceLocation where);
  term::Term compare_and_swap(term::Term address, term::Term expected,
                              term::Term desired, clang::SourceLocation where);
  Leaves copy_memory(const clang::CallExpr& expr);
  Leaves set_memory(const clang::CallExpr& expr);
  Leaves nondeterministic(const clang::CallExpr& expr,
                          const std::string& routine);
  void failed_assertion(const clang::CallExpr& expr);

  Unit& unit_;
  term::Pool& pool_;
  ir::FunctionId function_;
  ir::Cfa cfa_;
  ir::LocationId here_;
  ir::LocationId exit_;
  clang::QualType result_type_;
  bool constants_only_ = false;  ///< In a static initialiser.
  /// Where operands are evaluated only sometimes, but no branch is made.
  std::vector<term::Term> evaluated_if_;

  struct Targets {
    ir::LocationId on_break;
    ir::LocationId on_continue;
  };
  std::vector<Targets> targets_;
  std::unordered_map<const clang::LabelDecl*, ir::LocationId> labels_;
  std::unordered_map<const clang::SwitchCase*, ir::LocationId> cases_;
  std::unordered_map<const clang::VarDecl*, Storage> locals_;
  std::unordered_map<const clang::Expr*, bool> effects_;
  std::unordered_map<const clang::Expr*, term::Term> opaque_;
  std::unordered_map<const clang::Expr*, ir::VariableId> array_sizes_;
  std::unordered_map<const clang::Expr*, ir::ObjectId> literals_;
  std::unordered_map<const clang::Type*, std::vector<Leaf>> leaves_;
  Leaves last_record_;  ///< Value of the latest statement expression.
};

}  // namespace agon::frontend
