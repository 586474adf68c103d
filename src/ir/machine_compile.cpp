// SPDX-License-Identifier: Apache-2.0
#include "ir/machine_compile.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "support/error.h"
#include "term/substitute.h"

// Each distinct subterm of a statement becomes one instruction, operands first.
// A leaf becomes none: it is read where it is kept. So does a zero extension
// within a word, since unused bits are 0 anyway. Array terms become nodes,
// which are data: code computes the scalars that occur in them, and then the
// machine walks over the nodes to find an element or to carry out an
// assignment.

namespace agon::ir::machine {
namespace {

using term::Kind;
using term::Term;

constexpr Operand kNowhere = std::numeric_limits<Operand>::max();

unsigned words_of(unsigned width) { return width > 64 ? 2 : 1; }

std::uint64_t index_mask(term::Sort array) {
  AGON_ASSERT(array.index_width > 0 && array.index_width <= 64);
  return static_cast<std::uint64_t>(term::mask(array.index_width));
}

Op narrow_op(Kind kind) {
  switch (kind) {
    case Kind::Not:
      return Op::Not;
    case Kind::And:
    case Kind::BitAnd:
      return Op::BitAnd;
    case Kind::Or:
    case Kind::BitOr:
      return Op::BitOr;
    case Kind::Equal:
      return Op::Equal;
    case Kind::Ite:
      return Op::Ite;
    case Kind::Concat:
      return Op::Concat;
    case Kind::Extract:
      return Op::Extract;
    case Kind::ZeroExtend:
      return Op::Move;
    case Kind::SignExtend:
      return Op::SignExtend;
    case Kind::BitNot:
      return Op::BitNot;
    case Kind::BitXor:
      return Op::BitXor;
    default:
      break;
  }
  // The others stand in the same order in both enumerations.
  const auto shifted = [&](Kind first, Op op) {
    return static_cast<Op>(static_cast<int>(op) + static_cast<int>(kind) -
                           static_cast<int>(first));
  };
  if (kind >= Kind::Negate && kind <= Kind::SRemainder) {
    return shifted(Kind::Negate, Op::Negate);
  }
  if (kind >= Kind::ShiftLeft && kind <= Kind::ShiftRightSigned) {
    return shifted(Kind::ShiftLeft, Op::ShiftLeft);
  }
  AGON_ASSERT(kind >= Kind::ULess && kind <= Kind::SLessEqual);
  return shifted(Kind::ULess, Op::ULess);
}

}  // namespace

Compiler::Compiler(const Program& program)
    : program_(program),
      variables_(program.variables.size(), kNowhere),
      homes_(program.variables.size()),
      frame_words_(program.functions.size(), 0),
      frame_arrays_(program.functions.size()) {
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    place_variables(FunctionId::at(i));
  }
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    place_variable(VariableId::at(i), program.variables[i].owner);
  }
  for (const Object& object : program.objects) {
    const bool is_local = object.kind == ObjectKind::Local;
    object_homes_.push_back(is_local ? object.owner : FunctionId());
    objects_.push_back(
        add_words(program.pointer_width(), object_homes_.back()));
  }
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    functions_.push_back(add_words(program.pointer_width(), FunctionId()));
  }
}

void Compiler::place_variables(FunctionId id) {
  const Function& function = program_[id];
  for (const VariableId v : function.parameters) place_variable(v, id);
  for (const VariableId v : function.locals) place_variable(v, id);
}

void Compiler::place_variable(VariableId id, FunctionId home) {
  Operand& placed = variables_[id.index()];
  if (placed != kNowhere) return;
  homes_[id.index()] = home;
  const term::Sort sort = program_[id].term.sort();
  if (!sort.is_array()) {
    placed = add_words(width_of(sort), home);
    return;
  }
  auto& arrays = home.valid() ? frame_arrays_[home.index()] : global_arrays_;
  placed = static_cast<Operand>(arrays.size()) | (home.valid() ? 0 : kGlobal);
  arrays.push_back(sort);
}

Operand Compiler::add_words(unsigned width, FunctionId home) {
  if (home.valid()) {
    return std::exchange(frame_words_[home.index()],
                         frame_words_[home.index()] + words_of(width));
  }
  const std::size_t position = global_words_.size();
  global_words_.resize(position + words_of(width), 0);
  return static_cast<Operand>(position) | kGlobal;
}

Place Compiler::place(VariableId id) const {
  return {variables_[id.index()], width_of(program_[id].term.sort())};
}

Operand Compiler::add_scratch(unsigned width) {
  const std::uint32_t first = code_->num_variable_words + scratch_;
  scratch_ += words_of(width);
  code_->num_words =
      std::max(code_->num_words, code_->num_variable_words + scratch_);
  return first;
}

Operand Compiler::constant(Term term) {
  const auto [found, is_new] = constants_.try_emplace(term, 0);
  if (is_new) {
    const unsigned width = width_of(term.sort());
    found->second = add_words(width, FunctionId());
    const std::size_t position = found->second & ~kGlobal;
    global_words_[position] = static_cast<std::uint64_t>(term.value());
    if (width > 64) {
      global_words_[position + 1] =
          static_cast<std::uint64_t>(term.value() >> 64);
    }
  }
  return found->second;
}

Operand Compiler::leaf(Term term) {
  if (term.kind() == Kind::Constant) return constant(term);
  if (term.kind() == Kind::Variable) {
    const VariableId id = program_.variable_of(term);
    AGON_ASSERT(id.valid());
    AGON_ASSERT(is_global(id) || homes_[id.index()] == code_->function);
    return variables_[id.index()];
  }
  const ObjectId object = program_.object_of(term);
  if (object.valid()) {
    const FunctionId home = object_homes_[object.index()];
    AGON_ASSERT(!home.valid() || home == code_->function);
    return objects_[object.index()];
  }
  const FunctionId function = program_.function_of(term);
  AGON_ASSERT(function.valid());
  return functions_[function.index()];
}

Operand Compiler::operand(Term term) const {
  const Known& known = known_[term.id()];
  AGON_ASSERT(known.statement == statement_);
  return known.operand;
}

Block Compiler::compile_terms(const std::vector<Term>& terms) {
  Block block;
  block.begin = static_cast<std::uint32_t>(code_->instructions.size());
  for (const Term root : terms) {
    if (root.id() >= known_.size()) known_.resize(program_.pool->size() + 1);
    term::visit_subterms(root, [&](Term term) { compile_term(term); });
  }
  block.end = static_cast<std::uint32_t>(code_->instructions.size());
  return block;
}

void Compiler::compile_term(Term term) {
  Known& known = known_[term.id()];
  if (known.statement == statement_) return;
  AGON_ASSERT(!term.sort().is_int());
  const Kind kind = term.kind();
  const bool is_leaf =
      kind == Kind::Constant || kind == Kind::Variable || kind == Kind::Address;
  if (term.sort().is_array()) {
    known.operand = is_leaf ? leaf(term) : compile_array(term);
  } else {
    known.operand = is_leaf ? leaf(term) : compile_scalar(term);
  }
  known.statement = statement_;
}

std::uint32_t Compiler::node(Term term) {
  const std::uint32_t known = operand(term);
  if (term.kind() != Kind::Variable) return known;
  ArrayNode variable;
  variable.array = known;
  variable.width = term.sort().width;
  variable.index_mask = index_mask(term.sort());
  code_->nodes.push_back(variable);
  return static_cast<std::uint32_t>(code_->nodes.size() - 1);
}

std::uint32_t Compiler::compile_array(Term term) {
  ArrayNode result;
  result.kind = term.kind();
  result.width = term.sort().width;
  result.index_mask = index_mask(term.sort());
  switch (term.kind()) {
    case Kind::Ite:
      result.index = operand(term.operand(0));
      result.array = node(term.operand(1));
      result.other = node(term.operand(2));
      break;
    case Kind::Write:
      result.array = node(term.operand(0));
      result.index = operand(term.operand(1));
      result.value = operand(term.operand(2));
      result.count = term.count();
      break;
    case Kind::Copy:
      result.array = node(term.operand(0));
      result.index = operand(term.operand(1));
      result.value = operand(term.operand(2));
      result.other = node(term.operand(3));
      result.from = operand(term.operand(4));
      break;
    default:
      AGON_ASSERT(term.kind() == Kind::ConstantArray);
      result.value = operand(term.operand(0));
  }
  code_->nodes.push_back(result);
  return static_cast<std::uint32_t>(code_->nodes.size() - 1);
}

Operand Compiler::compile_scalar(Term term) {
  const Kind kind = term.kind();
  const unsigned width = width_of(term.sort());
  if (kind == Kind::ZeroExtend && width <= 64) return operand(term.operand(0));
  const Operand target = add_scratch(width);
  if (kind == Kind::And || kind == Kind::Or) {
    emit_chain(term, target);
  } else if (kind == Kind::Read) {
    emit_read(term, target);
  } else {
    emit(term, target);
  }
  return target;
}

void Compiler::emit_chain(Term term, Operand target) {
  Operand left = operand(term.operand(0));
  for (const Term right : term.operands().subspan(1)) {
    Instruction instruction;
    instruction.op = narrow_op(term.kind());
    instruction.width = 1;
    instruction.target = target;
    instruction.a = std::exchange(left, target);
    instruction.b = operand(right);
    code_->instructions.push_back(instruction);
  }
}

void Compiler::emit_read(Term term, Operand target) {
  const Term array = term.operand(0);
  const bool is_direct = array.kind() == Kind::Variable && term.width() <= 64;
  Instruction instruction;
  instruction.op = is_direct ? Op::Read : Op::ReadNode;
  instruction.width = static_cast<std::uint8_t>(term.width());
  instruction.target = target;
  instruction.a = is_direct ? operand(array) : node(array);
  instruction.b = operand(term.operand(1));
  instruction.c = term.count();
  code_->instructions.push_back(instruction);
}

void Compiler::emit(Term term, Operand target) {
  const auto operands = term.operands();
  Instruction instruction;
  instruction.kind = term.kind();
  instruction.width = static_cast<std::uint8_t>(width_of(term.sort()));
  instruction.other =
      static_cast<std::uint8_t>(width_of(operands.back().sort()));
  instruction.target = target;
  instruction.a = operand(operands[0]);
  bool is_wide = instruction.width > 64;
  for (const Term each : operands) is_wide |= width_of(each.sort()) > 64;
  if (operands.size() > 1) instruction.b = operand(operands[1]);
  if (operands.size() > 2) instruction.c = operand(operands[2]);
  if (term.kind() == Kind::Extract) instruction.c = term.low();
  instruction.op = is_wide ? Op::Wide : narrow_op(term.kind());
  code_->instructions.push_back(instruction);
}

}  // namespace agon::ir::machine
