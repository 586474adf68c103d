// SPDX-License-Identifier: Apache-2.0
// The instructions of the machine, and arrays.
#include "ir/machine.h"

namespace agon::ir::machine {
namespace {

using term::Bits;
using term::Kind;
using term::SignedBits;

/// The most bytes that one statement may copy; a program that copies more will
/// not end in time.
constexpr std::uint64_t kMaxCopiedBytes = std::uint64_t{1} << 28;

std::uint64_t mask(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }

std::int64_t as_signed(std::uint64_t value, unsigned width) {
  return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}

/// Division by zero and of the least number by -1 are as in SMT-LIB. Wide is
/// Bits or std::uint64_t, and Signed is the type of its signed values.
template <class Wide, class Signed>
Wide divide_signed(Wide a, Wide b, Signed x, Signed y, Wide ones) {
  if (b == 0) return x < 0 ? Wide{1} : ones;
  return b == ones ? (Wide{0} - a) & ones : static_cast<Wide>(x / y) & ones;
}

template <class Wide, class Signed>
Wide remainder_signed(Wide a, Wide b, Signed x, Signed y, Wide ones) {
  if (b == 0) return a;
  return b == ones ? 0 : static_cast<Wide>(x % y) & ones;
}

std::uint64_t shift_signed(std::uint64_t a, std::uint64_t b, unsigned width) {
  const std::uint64_t amount = b >= width ? width - 1 : b;
  return static_cast<std::uint64_t>(as_signed(a, width) >> amount) &
         mask(width);
}

/// An operator on values of one word; a unary one ignores `b`.
inline std::uint64_t apply(const Instruction& i, std::uint64_t a,
                           std::uint64_t b) {
  const unsigned width = i.width;
  switch (i.op) {
    case Op::Not:
      return a ^ 1;
    case Op::Equal:
      return a == b;
    case Op::Negate:
      return (0 - a) & mask(width);
    case Op::Add:
      return (a + b) & mask(width);
    case Op::Subtract:
      return (a - b) & mask(width);
    case Op::Multiply:
      return (a * b) & mask(width);
    case Op::UDivide:
      return b == 0 ? mask(width) : a / b;
    case Op::URemainder:
      return b == 0 ? a : a % b;
    case Op::SDivide:
      return divide_signed(a, b, as_signed(a, width), as_signed(b, width),
                           mask(width));
    case Op::SRemainder:
      return remainder_signed(a, b, as_signed(a, width), as_signed(b, width),
                              mask(width));
    case Op::BitNot:
      return ~a & mask(width);
    case Op::BitAnd:
      return a & b;
    case Op::BitOr:
      return a | b;
    case Op::BitXor:
      return a ^ b;
    case Op::ShiftLeft:
      return b >= width ? 0 : (a << b) & mask(width);
    case Op::ShiftRight:
      return b >= width ? 0 : a >> b;
    case Op::ShiftRightSigned:
      return shift_signed(a, b, width);
    case Op::Concat:
      return a << i.other | b;
    case Op::Extract:
      return (a >> i.c) & mask(width);
    case Op::SignExtend:
      return static_cast<std::uint64_t>(as_signed(a, i.other)) & mask(width);
    case Op::ULess:
      return a < b;
    case Op::ULessEqual:
      return a <= b;
    case Op::SLess:
      return as_signed(a, i.other) < as_signed(b, i.other);
    case Op::SLessEqual:
      return as_signed(a, i.other) <= as_signed(b, i.other);
    default:
      return a;  // Move.
  }
}

Bits shift(Kind kind, Bits a, Bits b, unsigned width) {
  const bool is_all = b >= width;
  const auto amount = static_cast<unsigned>(b);
  if (kind == Kind::ShiftLeft) return is_all ? 0 : a << amount;
  if (kind == Kind::ShiftRight) return is_all ? 0 : a >> amount;
  return static_cast<Bits>(term::as_signed(a, width) >>
                           (is_all ? width - 1 : amount));
}

Bits divide(Kind kind, Bits a, Bits b, unsigned width) {
  const SignedBits x = term::as_signed(a, width);
  const SignedBits y = term::as_signed(b, width);
  switch (kind) {
    case Kind::UDivide:
      return b == 0 ? term::mask(width) : a / b;
    case Kind::URemainder:
      return b == 0 ? a : a % b;
    case Kind::SDivide:
      return divide_signed(a, b, x, y, term::mask(width));
    default:
      return remainder_signed(a, b, x, y, term::mask(width));
  }
}

bool compare(Kind kind, Bits a, Bits b, unsigned width) {
  const SignedBits x = term::as_signed(a, width);
  const SignedBits y = term::as_signed(b, width);
  switch (kind) {
    case Kind::Equal:
      return a == b;
    case Kind::ULess:
      return a < b;
    case Kind::ULessEqual:
      return a <= b;
    case Kind::SLess:
      return x < y;
    default:
      return x <= y;
  }
}

/// Any operator with an operand or a result of more than 64 bits, except Ite.
/// What exceeds the width of the result is cut off by the caller.
Bits apply_wide(const Instruction& instruction, Bits a, Bits b) {
  switch (instruction.kind) {
    case Kind::Negate:
      return Bits{0} - a;
    case Kind::Add:
      return a + b;
    case Kind::Subtract:
      return a - b;
    case Kind::Multiply:
      return a * b;
    case Kind::BitNot:
      return ~a;
    case Kind::BitAnd:
      return a & b;
    case Kind::BitOr:
      return a | b;
    case Kind::BitXor:
      return a ^ b;
    case Kind::UDivide:
    case Kind::URemainder:
    case Kind::SDivide:
    case Kind::SRemainder:
      return divide(instruction.kind, a, b, instruction.width);
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return shift(instruction.kind, a, b, instruction.width);
    case Kind::Concat:
      return a << instruction.other | b;
    case Kind::Extract:
      return a >> instruction.c;
    case Kind::ZeroExtend:
      return a;
    case Kind::SignExtend:
      return static_cast<Bits>(term::as_signed(a, instruction.other));
    default:
      return compare(instruction.kind, a, b, instruction.other) ? 1 : 0;
  }
}

}  // namespace

void Machine::execute_wide(const Instruction& i) {
  if (i.kind == Kind::Ite) {
    store(i.target, i.width, load(word(i.a) != 0 ? i.b : i.c, i.width));
    return;
  }
  const bool is_concat = i.kind == Kind::Concat;
  const bool is_unary = i.kind == Kind::Negate || i.kind == Kind::BitNot ||
                        i.kind == Kind::Extract || i.kind == Kind::ZeroExtend ||
                        i.kind == Kind::SignExtend;
  const Bits a = load(i.a, is_concat ? i.width - i.other : i.other);
  const Bits b = is_unary ? 0 : load(i.b, i.other);
  store(i.target, i.width, apply_wide(i, a, b));
}

void Machine::execute(const FunctionCode& code, Block block) {
  std::uint64_t* const bases[2] = {bases_[0], bases_[1]};
  const auto at = [&](Operand operand) -> std::uint64_t& {
    return bases[operand >> 31][operand & ~kGlobal];
  };
  const Instruction* const end = code.instructions.data() + block.end;
  for (const Instruction* p = code.instructions.data() + block.begin; p != end;
       ++p) {
    switch (p->op) {
      case Op::Ite:
        at(p->target) = at(p->a) != 0 ? at(p->b) : at(p->c);
        break;
      case Op::Read:
        at(p->target) = array(p->a).read_narrow(at(p->b), p->c);
        break;
      case Op::ReadNode:
        execute_read(code, *p);
        break;
      case Op::Wide:
        execute_wide(*p);
        break;
      default:
        at(p->target) = apply(*p, at(p->a), at(p->b));
    }
  }
}

void Machine::execute_read(const FunctionCode& code, const Instruction& i) {
  const ArrayNode& node = code.nodes[i.a];
  const std::uint64_t index = word(i.b);
  Bits value = 0;
  for (unsigned k = 0; k < i.c; ++k) {
    const Bits part = element(code, i.a, (index + k) & node.index_mask);
    value |= part << (k * node.width);
  }
  store(i.target, i.width, value);
}

// Every kind of array term has, for a given index, one array inside that
// decides. So finding an element takes a loop and no recursion.
Bits Machine::element(const FunctionCode& code, std::uint32_t node,
                      std::uint64_t index) {
  for (;;) {
    const ArrayNode& n = code.nodes[node];
    if (n.kind == Kind::Variable) return array(n.array).read(index, 1);
    const std::uint64_t offset = (index - word(n.index)) & n.index_mask;
    switch (n.kind) {
      case Kind::Ite:
        node = word(n.index) != 0 ? n.array : n.other;
        break;
      case Kind::Write:
        if (offset < n.count) {
          const Bits value = load(n.value, n.count * n.width);
          const auto low = static_cast<unsigned>(offset) * n.width;
          return term::truncate(value >> low, n.width);
        }
        node = n.array;
        break;
      case Kind::Copy:
        node = offset < word(n.value) ? n.other : n.array;
        if (offset < word(n.value)) {
          index = (word(n.from) + offset) & n.index_mask;
        }
        break;
      default:
        return load(n.value, n.width);
    }
  }
}

// The new value is a chain of writes and copies around a variable, which is
// nearly always the target itself and is then changed in place, the innermost
// write first. What copies take from other terms has to be the old value, so
// it is fetched before anything changes.
bool Machine::assign_array(const FunctionCode& code, const EdgeCode& edge) {
  Array& target = array(edge.operand);
  chain_.clear();
  buffer_.clear();
  const ArrayNode* node = &code.nodes[edge.root];
  while (node->kind == Kind::Write || node->kind == Kind::Copy ||
         node->kind == Kind::Ite) {
    const bool is_other = node->kind == Kind::Ite && word(node->index) == 0;
    if (node->kind != Kind::Ite) chain_.push_back(node);
    node = &code.nodes[is_other ? node->other : node->array];
  }
  for (auto link = chain_.rbegin(); link != chain_.rend(); ++link) {
    if ((*link)->kind != Kind::Copy) continue;
    if (!gather(code, **link, target.cell_size())) return false;
  }
  if (node->kind == Kind::ConstantArray) {
    target.set_all(load(node->value, node->width));
  } else if (node->array != edge.operand) {
    target = array(node->array);
  }
  const std::uint8_t* copied = buffer_.data();
  for (auto link = chain_.rbegin(); link != chain_.rend(); ++link) {
    const ArrayNode& n = **link;
    const unsigned width = n.count * n.width;
    if (n.kind == Kind::Copy) {
      target.write_range(word(n.index), word(n.value), copied);
      copied += word(n.value) * target.cell_size();
    } else if (width <= 64) {
      target.write_narrow(word(n.index), n.count, word(n.value));
    } else {
      target.write(word(n.index), n.count, load(n.value, width));
    }
  }
  return true;
}

bool Machine::gather(const FunctionCode& code, const ArrayNode& copy,
                     std::size_t cell_size) {
  const std::uint64_t count = word(copy.value);
  const std::size_t begin = buffer_.size();
  if (count > (kMaxCopiedBytes - begin) / cell_size) return false;
  buffer_.resize(begin + count * cell_size);
  std::uint8_t* to = buffer_.data() + begin;
  const ArrayNode& source = code.nodes[copy.other];
  if (source.kind == Kind::Variable) {
    array(source.array).read_range(word(copy.from), count, to);
    return true;
  }
  for (std::uint64_t k = 0; k < count; ++k, to += cell_size) {
    const Bits value =
        element(code, copy.other, (word(copy.from) + k) & copy.index_mask);
    std::memcpy(to, &value, cell_size);
  }
  return true;
}

}  // namespace agon::ir::machine
