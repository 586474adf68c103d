// SPDX-License-Identifier: Apache-2.0
/// The linear code that statements become before they run. Internal.
///
/// Values are in words: a Boolean or a bit-vector of up to 64 bits takes one, a
/// wider one takes two, the lower first. Unused bits are 0. A frame has words
/// for the variables of its function, for the addresses of its objects, and for
/// the intermediate results of one statement; globals and constants have words
/// of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace agon::ir::machine {

/// The number of a word, or of an array: of the frame, or with kGlobal global.
using Operand = std::uint32_t;
constexpr Operand kGlobal = Operand{1} << 31;

/// An operator on values of one word each, unless it says otherwise.
enum class Op : std::uint8_t {
  Move,
  Not,
  Equal,
  Ite,
  Negate,
  Add,
  Subtract,
  Multiply,
  UDivide,
  URemainder,
  SDivide,
  SRemainder,
  BitNot,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  Concat,
  Extract,
  SignExtend,
  ULess,
  ULessEqual,
  SLess,
  SLessEqual,
  Read,      ///< Of an array variable.
  ReadNode,  ///< Of any array term, and of any width.
  Wide,      ///< Some value has two words; `kind` tells the operator.
};

struct Instruction {
  Op op = Op::Move;
  term::Kind kind = term::Kind::Constant;
  std::uint8_t width = 0;  ///< Of the result.
  std::uint8_t other = 0;  ///< Of the operands; of a Concat: of the lower.
  Operand target = 0;
  Operand a = 0;
  Operand b = 0;
  std::uint32_t c = 0;  ///< Operand, lowest bit of an Extract, or a count.
};

/// A value in words, with its width.
struct Place {
  Operand operand = 0;
  unsigned width = 0;
};

/// An array term. Its scalars are computed before it is looked at.
struct ArrayNode {
  term::Kind kind = term::Kind::Variable;
  std::uint32_t array = 0;  ///< Variable: the operand; otherwise a node.
  std::uint32_t other = 0;  ///< Ite, Copy: another node.
  Operand index = 0;        ///< Ite: the condition.
  Operand value = 0;        ///< Write, ConstantArray: value; Copy: count.
  Operand from = 0;         ///< Copy: the index in the source.
  unsigned count = 1;       ///< Elements written.
  unsigned width = 8;       ///< Of elements.
  std::uint64_t index_mask = 0;
};

/// A range of instructions.
struct Block {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

enum class EdgeKind : std::uint8_t {
  Assign,       ///< Its code does everything.
  AssignArray,  ///< Of the node `root` to the array `operand`.
  Havoc,
  HavocArray,
  Assume,  ///< `operand` is the condition.
  Call,    ///< `operand` is the pointer, if there is no callee.
  Return,
};

struct EdgeCode {
  EdgeKind kind = EdgeKind::Assign;
  Block block;
  EdgeId edge;
  std::uint32_t to = 0;
  Operand operand = 0;
  std::uint32_t root = 0;
  unsigned width = 0;  ///< Havoc: of the target.
  FunctionId callee;
  /// Into FunctionCode::places: arguments or returned values, then results.
  std::uint32_t places = 0;
  std::uint32_t num_values = 0;
  std::uint32_t num_results = 0;
};

/// Puts a value into an object before its function, or the program, starts.
struct CellCode {
  Block block;
  Place value;
  Operand array = 0;
  std::uint64_t offset = 0;
};

struct ObjectCode {
  ObjectId object;
  Operand address = 0;
  std::vector<Operand> arrays;
  std::vector<CellCode> cells;
};

struct FunctionCode {
  FunctionId function;
  std::uint32_t num_variable_words = 0;  ///< These start as 0.
  std::uint32_t num_words = 0;
  std::vector<term::Sort> arrays;
  std::vector<Instruction> instructions;
  std::vector<ArrayNode> nodes;
  std::vector<EdgeCode> edges;           ///< Sorted by location.
  std::vector<std::uint32_t> first_out;  ///< Per location, into `edges`.
  std::vector<Place> places;
  std::vector<Place> parameters;
  std::vector<ObjectCode> objects;
  std::uint32_t entry = 0;
  std::uint32_t exit = 0;
};

}  // namespace agon::ir::machine
