// SPDX-License-Identifier: Apache-2.0
/// The value of a plain tree by definition, bit by bit where that is simplest.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "random_term.h"

namespace agon::test {

using Array = std::function<Integer(const Integer&)>;

class NaiveTree {
 public:
  explicit NaiveTree(const Assignment& assignment) : assignment_(assignment) {}

  Integer number(const Tree& tree) {
    const auto found = numbers_.find(&tree);
    if (found != numbers_.end()) return found->second;
    const Integer result = compute(tree);
    numbers_[&tree] = result;
    return result;
  }

  Array array(const Tree& tree) {
    const auto found = arrays_.find(&tree);
    if (found != arrays_.end()) return found->second;
    const Array result = compute_array(tree);
    arrays_[&tree] = result;
    return result;
  }

 private:
  static Integer modulus(unsigned width) { return Integer(1) << width; }

  /// Into 0 … 2^width - 1, by Euclid; integers stay.
  static Integer reduce(Integer value, unsigned width) {
    if (width == 0) return value;
    value %= modulus(width);
    return value < 0 ? Integer(value + modulus(width)) : value;
  }

  static Integer sign(const Integer& value, unsigned width) {
    const bool negative = width != 0 && bit_test(value, width - 1);
    return negative ? Integer(value - modulus(width)) : value;
  }

  Integer compute(const Tree& t) {
    const auto x = [&](std::size_t i) { return number(*t.operands[i]); };
    const unsigned w = t.operands.empty() ? 0 : t.operands[0]->sort.width;
    switch (t.kind) {
      case Kind::Constant:
        return t.number;
      case Kind::Variable:
        return assignment_.at(t.variable).number;
      case Kind::Not:
        return 1 - x(0);
      case Kind::And:
      case Kind::Or: {
        Integer sum = 0;
        for (std::size_t i = 0; i < t.operands.size(); ++i) sum += x(i);
        if (t.kind == Kind::Or) return sum > 0 ? 1 : 0;
        return sum == t.operands.size() ? 1 : 0;
      }
      case Kind::Equal:
        return x(0) == x(1) ? 1 : 0;
      case Kind::Ite:
        return x(x(0) == 1 ? 1 : 2);
      case Kind::Negate:
        return reduce(-x(0), t.sort.width);
      case Kind::BitNot:
        return reduce(-1 - x(0), t.sort.width);
      case Kind::Concat:
        return (x(0) << t.operands[1]->sort.width) | x(1);
      case Kind::Extract:
        return reduce(x(0) >> t.parameter, t.sort.width);
      case Kind::ZeroExtend:
        return x(0);
      case Kind::SignExtend:
        return reduce(sign(x(0), w), t.sort.width);
      case Kind::Read:
        return read(t);
      default:
        return reduce(binary(t.kind, x(0), x(1), w), t.sort.width);
    }
  }

  Integer read(const Tree& t) {
    const Sort sort = t.operands[0]->sort;
    const Array a = array(*t.operands[0]);
    const Integer index = number(*t.operands[1]);
    Integer result = 0;
    for (unsigned k = 0; k < t.parameter; ++k) {
      result += a(reduce(index + k, sort.index_width)) << (k * sort.width);
    }
    return result;
  }

  static Integer binary(Kind kind, const Integer& a, const Integer& b,
                        unsigned w) {
    const Integer sa = sign(a, w);
    const Integer sb = sign(b, w);
    switch (kind) {
      case Kind::Add:
        return a + b;
      case Kind::Subtract:
        return a - b;
      case Kind::Multiply:
        return a * b;
      case Kind::UDivide:
        return b == 0 ? Integer(modulus(w) - 1) : Integer(a / b);
      case Kind::URemainder:
        return b == 0 ? a : Integer(a % b);
      case Kind::SDivide:
        if (b == 0) return w == 0 ? 0 : sa < 0 ? 1 : -1;
        return sa / sb;
      case Kind::SRemainder:
        return b == 0 ? sa : Integer(sa % sb);
      case Kind::ULess:
        return a < b;
      case Kind::ULessEqual:
        return a <= b;
      case Kind::SLess:
        return sa < sb;
      case Kind::SLessEqual:
        return sa <= sb;
      default:
        return bitwise(kind, a, b, w);
    }
  }

  /// Each bit of the result from the bits of the operands.
  static Integer bitwise(Kind kind, const Integer& a, const Integer& b,
                         unsigned w) {
    Integer result = 0;
    const unsigned shift = b < w ? static_cast<unsigned>(b) : w;
    for (unsigned i = 0; i < w; ++i) {
      const bool p = bit_test(a, i);
      const bool q = bit_test(b, i);
      const bool moved = i + shift < w && bit_test(a, i + shift);
      const bool top = bit_test(a, w - 1);
      bool bit = false;
      if (kind == Kind::BitAnd) bit = p && q;
      if (kind == Kind::BitOr) bit = p || q;
      if (kind == Kind::BitXor) bit = p != q;
      if (kind == Kind::ShiftLeft) bit = i >= shift && bit_test(a, i - shift);
      if (kind == Kind::ShiftRight) bit = moved;
      if (kind == Kind::ShiftRightSigned) bit = i + shift < w ? moved : top;
      if (bit) bit_set(result, i);
    }
    return result;
  }

  Array compute_array(const Tree& t) {
    const unsigned w = t.sort.width;
    const unsigned iw = t.sort.index_width;
    const auto x = [&](std::size_t i) { return number(*t.operands[i]); };
    switch (t.kind) {
      case Kind::Variable: {
        const Value value = assignment_.at(t.variable);
        return [value](const Integer& i) {
          const auto found = value.elements.find(i);
          return found == value.elements.end() ? value.number : found->second;
        };
      }
      case Kind::ConstantArray:
        return [e = x(0)](const Integer&) { return e; };
      case Kind::Ite:
        return array(*t.operands[x(0) == 1 ? 1 : 2]);
      case Kind::Write: {
        std::map<Integer, Integer> written;
        for (unsigned k = 0; k < t.parameter; ++k) {
          written[reduce(x(1) + k, iw)] = reduce(x(2) >> (k * w), w);
        }
        if (w == 0) written[x(1)] = x(2);
        return [written, a = array(*t.operands[0])](const Integer& i) {
          const auto found = written.find(i);
          return found == written.end() ? a(i) : found->second;
        };
      }
      default:
        return [a = array(*t.operands[0]), i = x(1), n = x(2),
                b = array(*t.operands[3]), j = x(4), iw](const Integer& at) {
          const Integer k = reduce(at - i, iw);
          return k >= 0 && k < n ? b(reduce(j + k, iw)) : a(at);
        };
    }
  }

  const Assignment& assignment_;
  std::map<const Tree*, Integer> numbers_;
  std::map<const Tree*, Array> arrays_;
};

}  // namespace agon::test
