// SPDX-License-Identifier: Apache-2.0
#include "term/quick.h"

#include <algorithm>

#include "term/fold.h"

namespace agon::term {
namespace {

class Quick {
 public:
  explicit Quick(const ValueOf& value_of) : value_of_(value_of) {}

  std::optional<Bits> run(Term term) {
    const Sort sort = term.sort();
    if (left_ == 0 || !(sort.is_bits() || sort.is_bool())) return std::nullopt;
    --left_;
    switch (term.kind()) {
      case Kind::Constant:
        return sort.is_bool() ? Bits{term.is_true()} : term.value();
      case Kind::Variable:
        return value_of_(term);
      case Kind::And:
        return junction(term, 0);
      case Kind::Or:
        return junction(term, 1);
      case Kind::Ite: {
        const auto condition = run(term.operand(0));
        if (!condition) return std::nullopt;
        return run(term.operand(*condition != 0 ? 1 : 2));
      }
      default:
        return operation(term);
    }
  }

 private:
  std::optional<Bits> junction(Term term, Bits absorbing) {
    bool is_known = true;
    for (const Term part : term.operands()) {
      const auto value = run(part);
      if (value == absorbing) return absorbing;
      is_known = is_known && value.has_value();
    }
    return is_known ? std::optional<Bits>(1 - absorbing) : std::nullopt;
  }

  std::optional<Bits> operation(Term term) {
    const auto operands = term.operands();
    if (operands.empty() || operands.size() > 2) return std::nullopt;
    const auto a = run(operands[0]);
    if (!a) return std::nullopt;
    if (operands.size() == 1) return unary(term, *a);
    const auto b = run(operands[1]);
    if (!b) return std::nullopt;
    const unsigned width = operands[1].width();
    switch (term.kind()) {
      case Kind::Equal:
        return Bits{*a == *b};
      case Kind::Concat:
        return *a << width | *b;
      case Kind::Read:
      case Kind::Write:
        return std::nullopt;
      default:
        return detail::fold(term.kind(), *a, *b, width);
    }
  }

  static std::optional<Bits> unary(Term term, Bits a) {
    switch (term.kind()) {
      case Kind::Not:
        return 1 - a;
      case Kind::Negate:
      case Kind::BitNot:
        return detail::fold(term.kind(), a, term.width());
      case Kind::Extract:
        return truncate(a >> term.low(), term.width());
      case Kind::ZeroExtend:
        return a;
      case Kind::SignExtend:
        return truncate(
            static_cast<Bits>(as_signed(a, term.operand(0).width())),
            term.width());
      default:
        return std::nullopt;
    }
  }

  const ValueOf& value_of_;
  unsigned left_ = 200;  // Of the term, what is shared each time again.
};

}  // namespace

std::optional<Bits> quick_value(Term term, const ValueOf& value_of) {
  return Quick(value_of).run(term);
}

}  // namespace agon::term
