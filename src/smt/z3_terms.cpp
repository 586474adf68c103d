// SPDX-License-Identifier: Apache-2.0
#include "smt/z3_terms.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "smt/inspect.h"
#include "support/error.h"
#include "term/bounds.h"
#include "term/substitute.h"

namespace agon::smt {

using term::Kind;
using term::Sort;
using term::Term;

Z3Terms::Z3Terms() {
  Z3_config config = Z3_mk_config();
  context_ = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(context_, nullptr);  // The default one exits.
}

Z3Terms::~Z3Terms() {
  for (const Z3_ast ast : kept_) Z3_dec_ref(context_, ast);
  Z3_del_context(context_);
}

Z3_ast Z3Terms::keep(Z3_ast ast) {
  AGON_ASSERT(ast != nullptr);
  Z3_inc_ref(context_, ast);
  kept_.push_back(ast);
  return ast;
}

// Z3 frees a term without references when the next one is made. So what a
// translation consists of is kept, too.
Z3_ast Z3Terms::translate(Term root) {
  struct Frame {
    Term term;
    std::uint32_t next;
  };
  std::vector<Frame> stack;
  const auto push = [&](Term term) {
    if (term.id() >= asts_.size()) {
      const std::size_t size = term.id() + term.id() / 2 + std::size_t{64};
      asts_.resize(size);
      features_.resize(size);
      depths_.resize(size);
      largest_.resize(size);
    }
    if (asts_[term.id()] == nullptr) stack.push_back({term, 0});
  };
  push(root);
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next < top.term.operands().size()) {
      push(top.term.operand(top.next++));
      continue;
    }
    const Term term = top.term;
    stack.pop_back();
    if (asts_[term.id()] != nullptr) continue;  // Reached in two ways.
    std::uint8_t features = term.kind() == Kind::Address ? kAddress : 0;
    if (term.sort().is_array()) features |= kArray;
    std::uint32_t depth = 0;
    std::vector<term::Bits> largest;
    for (const Term operand : term.operands()) {
      features |= features_[operand.id()];
      depth = std::max(depth, depths_[operand.id()] + 1);
      largest.push_back(largest_[operand.id()]);
    }
    largest_[term.id()] = term::largest_value(term, largest);
    features_[term.id()] = features;
    depths_[term.id()] = depth;
    asts_[term.id()] = build(term);
  }
  return asts_[root.id()];
}

Z3_sort Z3Terms::sort_of(Sort sort) {
  const auto known = sorts_.find(sort);
  if (known != sorts_.end()) return known->second;
  const auto make = [&]() -> Z3_sort {
    if (sort.is_bool()) return Z3_mk_bool_sort(context_);
    if (sort.is_int()) return Z3_mk_int_sort(context_);
    if (sort.is_bits()) return Z3_mk_bv_sort(context_, sort.width);
    const Z3_sort index = sort_of(sort.index());
    const Z3_sort element = sort_of(sort.element());
    return Z3_mk_array_sort(context_, index, element);
  };
  const Z3_sort result = make();
  keep(Z3_sort_to_ast(context_, result));
  sorts_.emplace(sort, result);
  return result;
}

Z3_ast Z3Terms::bits(term::Bits value, unsigned width) {
  if (width <= 64) {
    Z3_sort sort = Z3_mk_bv_sort(context_, width);
    return keep(Z3_mk_unsigned_int64(context_,
                                     static_cast<std::uint64_t>(value), sort));
  }
  const Z3_ast high = bits(value >> 64, width - 64);
  const Z3_ast low = bits(static_cast<std::uint64_t>(value), 64);
  const Z3_ast both = keep(Z3_mk_concat(context_, high, low));
  return keep(Z3_simplify(context_, both));
}

Z3_ast Z3Terms::small_number(unsigned number, Sort sort) {
  if (sort.is_bits()) return bits(number, sort.width);
  return keep(Z3_mk_unsigned_int64(context_, number, sort_of(Sort::integer())));
}

Z3_ast Z3Terms::constant(Term term) {
  if (term.sort().is_bits()) return bits(term.value(), term.width());
  if (term.sort().is_int()) {
    return keep(Z3_mk_numeral(context_, term.integer().str().c_str(),
                              sort_of(Sort::integer())));
  }
  return keep(term.is_true() ? Z3_mk_true(context_) : Z3_mk_false(context_));
}

Z3_ast Z3Terms::build(Term term) {
  std::vector<Z3_ast> args;
  args.reserve(term.operands().size());
  for (const Term operand : term.operands()) args.push_back(at(operand));
  const auto count = static_cast<unsigned>(args.size());
  switch (term.kind()) {
    case Kind::Constant:
      return constant(term);
    case Kind::Variable:
    case Kind::Address: {
      Z3_sort sort = sort_of(term.sort());
      return keep(Z3_mk_const(
          context_, Z3_mk_string_symbol(context_, term.name().c_str()), sort));
    }
    case Kind::Not:
      return keep(Z3_mk_not(context_, args[0]));
    case Kind::And:
      return keep(Z3_mk_and(context_, count, args.data()));
    case Kind::Or:
      return keep(Z3_mk_or(context_, count, args.data()));
    case Kind::Equal:
      return keep(Z3_mk_eq(context_, args[0], args[1]));
    case Kind::Ite:
      return keep(Z3_mk_ite(context_, args[0], args[1], args[2]));
    case Kind::Read:
      return read(term);
    case Kind::Write:
      return write(term);
    case Kind::Copy:
      return copy(term);
    case Kind::ConstantArray: {
      Z3_sort index = sort_of(term.sort().index());
      return keep(Z3_mk_const_array(context_, index, args[0]));
    }
    default:
      return arithmetic(term, args[0], count > 1 ? args[1] : nullptr);
  }
}

Z3_ast Z3Terms::arithmetic(Term term, Z3_ast a, Z3_ast b) {
  if (term.sort().is_bool()) return order(term, a, b);
  if (!term.sort().is_int()) return bit_operator(term, a, b);
  const std::array<Z3_ast, 2> both{a, b};
  switch (term.kind()) {
    case Kind::Negate:
      return keep(Z3_mk_unary_minus(context_, a));
    case Kind::Add:
      return keep(Z3_mk_add(context_, 2, both.data()));
    case Kind::Subtract:
      return keep(Z3_mk_sub(context_, 2, both.data()));
    case Kind::Multiply:
      return keep(Z3_mk_mul(context_, 2, both.data()));
    default:
      return integer_division(term, a, b);
  }
}

Z3_ast Z3Terms::bit_operator(Term term, Z3_ast a, Z3_ast b) {
  const unsigned more = term.width() - term.operand(0).width();
  Z3_context c = context_;
  switch (term.kind()) {
    case Kind::Negate:
      return keep(Z3_mk_bvneg(c, a));
    case Kind::Add:
      return keep(Z3_mk_bvadd(c, a, b));
    case Kind::Subtract:
      return keep(Z3_mk_bvsub(c, a, b));
    case Kind::Multiply:
      return keep(Z3_mk_bvmul(c, a, b));
    case Kind::UDivide:
    case Kind::URemainder:
    case Kind::SDivide:
    case Kind::SRemainder:
      return division(term, a, b);
    case Kind::BitNot:
      return keep(Z3_mk_bvnot(c, a));
    case Kind::BitAnd:
      return keep(Z3_mk_bvand(c, a, b));
    case Kind::BitOr:
      return keep(Z3_mk_bvor(c, a, b));
    case Kind::BitXor:
      return keep(Z3_mk_bvxor(c, a, b));
    case Kind::ShiftLeft:
      return keep(Z3_mk_bvshl(c, a, b));
    case Kind::ShiftRight:
      return keep(Z3_mk_bvlshr(c, a, b));
    case Kind::ShiftRightSigned:
      return keep(Z3_mk_bvashr(c, a, b));
    case Kind::Concat:
      return keep(Z3_mk_concat(c, a, b));
    case Kind::Extract:
      return keep(
          Z3_mk_extract(c, term.low() + term.width() - 1, term.low(), a));
    case Kind::ZeroExtend:
      return keep(Z3_mk_zero_ext(c, more, a));
    case Kind::SignExtend:
      return keep(Z3_mk_sign_ext(c, more, a));
    default:
      AGON_ASSERT(!"an operator on bit-vectors");
      return nullptr;
  }
}

Z3_ast Z3Terms::order(Term term, Z3_ast a, Z3_ast b) {
  const bool integers = term.operand(0).sort().is_int();
  switch (term.kind()) {
    case Kind::ULess:
      return keep(Z3_mk_bvult(context_, a, b));
    case Kind::ULessEqual:
      return keep(Z3_mk_bvule(context_, a, b));
    case Kind::SLess:
      return keep(integers ? Z3_mk_lt(context_, a, b)
                           : Z3_mk_bvslt(context_, a, b));
    case Kind::SLessEqual:
      return keep(integers ? Z3_mk_le(context_, a, b)
                           : Z3_mk_bvsle(context_, a, b));
    default:
      AGON_ASSERT(!"an order");
      return nullptr;
  }
}

// Z3 divides so that the remainder is not negative; on operands that are not
// negative there is no difference.
Z3_ast Z3Terms::integer_division(Term term, Z3_ast a, Z3_ast b) {
  Z3_context c = context_;
  const Z3_ast zero = small_number(0, Sort::integer());
  const auto negate = [&](Z3_ast x) { return keep(Z3_mk_unary_minus(c, x)); };
  const auto ite = [&](Z3_ast condition, Z3_ast then, Z3_ast otherwise) {
    return keep(Z3_mk_ite(c, condition, then, otherwise));
  };
  const Z3_ast a_negative = keep(Z3_mk_lt(c, a, zero));
  const Z3_ast b_negative = keep(Z3_mk_lt(c, b, zero));
  const Z3_ast a_size = ite(a_negative, negate(a), a);
  Z3_ast b_size = ite(b_negative, negate(b), b);
  b_size = keep(Z3_simplify(c, b_size));  // Often a constant.
  const Z3_ast b_is_zero = keep(Z3_mk_eq(c, b, zero));
  if (term.kind() == Kind::SDivide) {
    const Z3_ast quotient = keep(Z3_mk_div(c, a_size, b_size));
    const Z3_ast same_sign = keep(Z3_mk_eq(c, a_negative, b_negative));
    return ite(b_is_zero, zero, ite(same_sign, quotient, negate(quotient)));
  }
  AGON_ASSERT(term.kind() == Kind::SRemainder);
  const Z3_ast rest = keep(Z3_mk_mod(c, a_size, b_size));
  return ite(b_is_zero, a, ite(a_negative, negate(rest), rest));
}

// Division is the most expensive operator, and most of what programs divide
// was a smaller type or a remainder before.
Z3_ast Z3Terms::division(Term term, Z3_ast a, Z3_ast b) {
  const unsigned width = term.width();
  const term::Bits most =
      std::max(largest_[term.operand(0).id()], largest_[term.operand(1).id()]);
  const unsigned needed = term::bits_for(most);
  const bool is_signed =
      term.kind() == Kind::SDivide || term.kind() == Kind::SRemainder;
  if (needed >= width) {
    if (term.kind() == Kind::SDivide) return keep(Z3_mk_bvsdiv(context_, a, b));
    if (is_signed) return keep(Z3_mk_bvsrem(context_, a, b));
    return narrow_division(term.kind(), 0, a, b);
  }
  const Kind kind = term.kind() == Kind::SDivide      ? Kind::UDivide
                    : term.kind() == Kind::SRemainder ? Kind::URemainder
                                                      : term.kind();
  // What is divided by 0 is as wide as it is.
  const Term divisor = term.operand(1);
  const bool is_safe = kind == Kind::URemainder ||
                       (divisor.is_constant() && divisor.value() != 0);
  if (!is_safe) return narrow_division(kind, 0, a, b);
  const auto low = [&](Z3_ast whole) {
    return keep(Z3_mk_extract(context_, needed - 1, 0, whole));
  };
  return narrow_division(kind, width - needed, low(a), low(b));
}

/// Without a sign, and with so many zeros in front.
Z3_ast Z3Terms::narrow_division(Kind kind, unsigned zeros, Z3_ast a, Z3_ast b) {
  const Z3_ast result =
      keep(kind == Kind::UDivide ? Z3_mk_bvudiv(context_, a, b)
                                 : Z3_mk_bvurem(context_, a, b));
  return zeros == 0 ? result : keep(Z3_mk_zero_ext(context_, zeros, result));
}

Z3_ast Z3Terms::plus(Z3_ast index, unsigned k, Sort sort) {
  if (k == 0) return index;
  const Z3_ast offset = small_number(k, sort);
  if (sort.is_bits()) return keep(Z3_mk_bvadd(context_, index, offset));
  const std::array<Z3_ast, 2> both{index, offset};
  return keep(Z3_mk_add(context_, 2, both.data()));
}

Z3_ast Z3Terms::read(Term term) {
  const Z3_ast array = at(term.operand(0));
  const Z3_ast index = at(term.operand(1));
  const Sort sort = term.operand(1).sort();
  Z3_ast result = keep(Z3_mk_select(context_, array, index));
  for (unsigned k = 1; k < term.count(); ++k) {
    const Z3_ast element =
        keep(Z3_mk_select(context_, array, plus(index, k, sort)));
    result = keep(Z3_mk_concat(context_, element, result));
  }
  return result;
}

Z3_ast Z3Terms::write(Term term) {
  const Z3_ast index = at(term.operand(1));
  const Z3_ast value = at(term.operand(2));
  const unsigned width = term.width();
  Z3_ast array = at(term.operand(0));
  for (unsigned k = 0; k < term.count(); ++k) {
    const Z3_ast element =
        term.count() == 1 ? value
                          : keep(Z3_mk_extract(context_, (k + 1) * width - 1,
                                               k * width, value));
    array = keep(Z3_mk_store(context_, array,
                             plus(index, k, term.operand(1).sort()), element));
  }
  return array;
}

Z3_ast Z3Terms::copy(Term term) {
  const auto count = most_copied(term);
  if (!count) {
    features_[term.id()] |= kCopy;
    Z3_sort sort = sort_of(term.sort());
    return keep(Z3_mk_fresh_const(context_, "copy", sort));
  }
  const Sort sort = term.operand(1).sort();
  const Term length = term.operand(2);
  Z3_ast array = at(term.operand(0));
  for (unsigned k = 0; k < *count; ++k) {
    const Z3_ast to = plus(at(term.operand(1)), k, sort);
    Z3_ast element = keep(Z3_mk_select(context_, at(term.operand(3)),
                                       plus(at(term.operand(4)), k, sort)));
    if (!length.is_constant()) {
      const Z3_ast is_moved = keep(
          Z3_mk_bvult(context_, small_number(k, length.sort()), at(length)));
      const Z3_ast old = keep(Z3_mk_select(context_, array, to));
      element = keep(Z3_mk_ite(context_, is_moved, element, old));
    }
    array = keep(Z3_mk_store(context_, array, to, element));
  }
  return array;
}

const std::vector<Term>& Z3Terms::addresses(Term term) {
  static const std::vector<Term> kNone;
  translate(term);
  if ((features(term) & kAddress) == 0) return kNone;
  const auto [entry, is_new] = addresses_.try_emplace(term);
  if (is_new) {
    std::vector<Term> found;
    term::visit_subterms(term, [&](Term t) {
      if (t.kind() == Kind::Address) found.push_back(t);
    });
    std::ranges::sort(found);
    entry.value() = std::move(found);
  }
  return entry->second;
}

Z3_ast Z3Terms::address_axiom(Term address, std::span<const Term> others) {
  const Z3_ast it = translate(address);
  std::vector<Z3_ast> facts;
  const auto differs = [&](Z3_ast other) {
    const Z3_ast equal = keep(Z3_mk_eq(context_, it, other));
    facts.push_back(keep(Z3_mk_not(context_, equal)));
  };
  differs(small_number(0, address.sort()));
  for (const Term other : others) {
    if (other.sort() == address.sort()) differs(translate(other));
  }
  return keep(
      Z3_mk_and(context_, static_cast<unsigned>(facts.size()), facts.data()));
}

Z3_ast Z3Terms::fresh_boolean() {
  return keep(Z3_mk_fresh_const(context_, "assume", Z3_mk_bool_sort(context_)));
}

Z3Terms::Proxy Z3Terms::proxy(Term term) {
  const auto [entry, is_new] = proxies_.try_emplace(term);
  if (is_new) {
    const Z3_ast positive = fresh_boolean();
    entry.value() = {positive, keep(Z3_mk_not(context_, positive))};
  }
  return entry->second;
}

}  // namespace agon::smt
