// SPDX-License-Identifier: Apache-2.0
// What terms evaluate to in a box, and what conditions leave of one.
#include "domain/boxes.h"

namespace agon::domain {
namespace {

using term::Kind;
using term::Term;

bool is_comparison(Kind kind) {
  return kind == Kind::Equal || kind == Kind::ULess ||
         kind == Kind::ULessEqual || kind == Kind::SLess ||
         kind == Kind::SLessEqual;
}

Range truth(const std::optional<bool>& known) {
  if (!known) return {0, 1};
  return *known ? Range{1, 1} : Range{0, 0};
}

}  // namespace

Range BoxDomain::evaluate(Term term, const Box& box, unsigned depth) const {
  const term::Sort sort = term.sort();
  if (!is_followed(sort) || depth == 0) return all_of(sort);
  --depth;
  if (term.is_constant()) {
    const auto value = sort.is_bool()
                           ? static_cast<term::SignedBits>(term.value())
                           : term::as_signed(term.value(), sort.width);
    return {value, value};
  }
  if (term.kind() == Kind::Variable) {
    const std::size_t i = index_of(term);
    return i < box.size() ? box[i] : all_of(sort);
  }
  if (term.kind() == Kind::Ite) {
    const auto known = decide(term.operand(0), box, depth);
    if (known) return evaluate(term.operand(*known ? 1 : 2), box, depth);
    return hull(evaluate(term.operand(1), box, depth),
                evaluate(term.operand(2), box, depth));
  }
  if (sort.is_bool()) return truth(decide(term, box, depth));
  for (const Term operand : term.operands()) {
    if (!is_followed(operand.sort())) return all_of(sort);
  }
  const auto operands = term.operands();
  if (operands.empty()) return all_of(sort);
  Range result = evaluate(operands[0], box, depth);
  if (operands.size() == 1) return apply(term, result, result);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    result = apply(term, result, evaluate(operands[i], box, depth));
  }
  return result;
}

std::optional<bool> BoxDomain::decide(Term condition, const Box& box,
                                      unsigned depth) const {
  if (condition.is_constant()) return condition.is_true();
  if (depth == 0) return std::nullopt;
  --depth;
  switch (condition.kind()) {
    case Kind::Not: {
      const auto known = decide(condition.operand(0), box, depth);
      return known ? std::optional(!*known) : std::nullopt;
    }
    case Kind::And:
    case Kind::Or: {
      const bool absorbing = condition.kind() == Kind::Or;
      bool is_known = true;
      for (const Term part : condition.operands()) {
        const auto known = decide(part, box, depth);
        if (known == absorbing) return absorbing;
        is_known = is_known && known.has_value();
      }
      return is_known ? std::optional(!absorbing) : std::nullopt;
    }
    case Kind::Variable:
    case Kind::Ite: {
      const Range range = evaluate(condition, box, depth);
      return range.is_single() ? std::optional(range.low != 0) : std::nullopt;
    }
    default:
      break;
  }
  if (!is_comparison(condition.kind()) ||
      !is_followed(condition.operand(0).sort())) {
    return std::nullopt;
  }
  return compare(condition.kind(), condition.operand(0).width(),
                 evaluate(condition.operand(0), box, depth),
                 evaluate(condition.operand(1), box, depth));
}

/// Adds boxes that hold the states of `box` in which the condition is as given.
void BoxDomain::narrow(Box box, Term condition, bool positive,
                       std::vector<Box>& to) const {
  const auto known = decide(condition, box);
  if (known) {
    if (*known == positive) to.push_back(std::move(box));
    return;
  }
  const auto operands = condition.operands();
  switch (condition.kind()) {
    case Kind::Not:
      return narrow(std::move(box), operands[0], !positive, to);
    case Kind::And:
    case Kind::Or:
      if ((condition.kind() == Kind::And) == positive) {
        return narrow_all(box, operands, positive, to);
      }
      for (const Term part : operands) narrow(box, part, positive, to);
      return;
    case Kind::Variable:
      if (meet(box, condition, positive ? Range{1, 1} : Range{0, 0})) {
        to.push_back(std::move(box));
      }
      return;
    case Kind::Equal:
      return narrow_equal(std::move(box), operands[0], operands[1], positive,
                          to);
    case Kind::SLess:
    case Kind::SLessEqual: {
      const bool is_strict = (condition.kind() == Kind::SLess) == positive;
      return positive ? narrow_less(std::move(box), operands[0], operands[1],
                                    is_strict, to)
                      : narrow_less(std::move(box), operands[1], operands[0],
                                    is_strict, to);
    }
    case Kind::ULess:
    case Kind::ULessEqual: {
      const bool is_strict = (condition.kind() == Kind::ULess) == positive;
      return positive
                 ? narrow_unsigned(box, operands[0], operands[1], is_strict, to)
                 : narrow_unsigned(box, operands[1], operands[0], is_strict,
                                   to);
    }
    default:
      to.push_back(std::move(box));
  }
}

void BoxDomain::narrow_all(const Box& box, std::span<const Term> conditions,
                           bool positive, std::vector<Box>& to) const {
  std::vector<Box> left{box};
  for (const Term condition : conditions) {
    std::vector<Box> next;
    for (const Box& each : left) narrow(each, condition, positive, next);
    // A product of many alternatives: then the condition is not looked at.
    if (next.size() > std::max(left.size(), kMostBoxes)) continue;
    left = std::move(next);
  }
  to.insert(to.end(), left.begin(), left.end());
}

void BoxDomain::narrow_equal(Box box, Term a, Term b, bool positive,
                             std::vector<Box>& to) const {
  if (a.sort().is_bool()) {  // Both true, or both false; or not.
    const Term pair[] = {a, b};
    for (const bool first : {true, false}) {
      std::vector<Box> half;
      narrow(box, pair[0], first, half);
      for (Box& each : half) {
        narrow(std::move(each), pair[1], first == positive, to);
      }
    }
    return;
  }
  if (!is_followed(a.sort())) return to.push_back(std::move(box));
  const Range left = evaluate(a, box);
  const Range right = evaluate(b, box);
  if (positive) {
    const auto both = intersect(left, right);
    if (both && meet(box, a, *both) && meet(box, b, *both)) {
      to.push_back(std::move(box));
    }
    return;
  }
  if (!left.is_single() && !right.is_single()) {
    return to.push_back(std::move(box));
  }
  const Term other = right.is_single() ? a : b;
  const Range hole = right.is_single() ? right : left;
  const Range all = all_of(a.sort());
  for (const Range& side :
       {Range{all.low, hole.low - 1}, Range{hole.high + 1, all.high}}) {
    Box half = box;
    if (side.low <= side.high && meet(half, other, side)) {
      to.push_back(std::move(half));
    }
  }
}

/// a < b or a <= b as signed numbers.
void BoxDomain::narrow_less(Box box, Term a, Term b, bool is_strict,
                            std::vector<Box>& to) const {
  if (!is_followed(a.sort())) return to.push_back(std::move(box));
  const term::SignedBits gap = is_strict ? 1 : 0;
  const Range all = all_of(a.sort());
  const Range left = evaluate(a, box);
  const Range right = evaluate(b, box);
  const Range below{all.low, right.high - gap};
  const Range above{left.low + gap, all.high};
  if (below.low > below.high || above.low > above.high) return;
  if (meet(box, a, below) && meet(box, b, above)) to.push_back(std::move(box));
}

/// The same as unsigned numbers: of both signs, the negative ones are greater.
void BoxDomain::narrow_unsigned(const Box& box, Term a, Term b, bool is_strict,
                                std::vector<Box>& to) const {
  if (!is_followed(a.sort())) return to.push_back(box);
  const Range all = all_of(a.sort());
  const Range negative{all.low, -1};
  const Range other{0, all.high};
  for (const Range& sign : {negative, other}) {
    Box both = box;
    if (meet(both, a, sign) && meet(both, b, sign)) {
      narrow_less(std::move(both), a, b, is_strict, to);
    }
  }
  Box mixed = box;
  if (meet(mixed, a, other) && meet(mixed, b, negative)) {
    to.push_back(std::move(mixed));
  }
}

/// Takes away what a term's being in a range rules out. False: all of it.
bool BoxDomain::meet(Box& box, Term term, const Range& range) const {
  const auto both = intersect(evaluate(term, box), range);
  if (!both) return false;
  const Term inner = term.operands().empty() ? Term() : term.operand(0);
  switch (term.kind()) {
    case Kind::Variable: {
      const std::size_t i = index_of(term);
      if (i < box.size()) box[i] = *both;
      return true;
    }
    case Kind::SignExtend:
      return !is_followed(inner.sort()) || meet(box, inner, *both);
    case Kind::ZeroExtend: {
      const Range half{0, all_of(inner.sort()).high};
      const auto low = intersect(*both, half);
      if (!is_followed(inner.sort()) || low != both) return true;
      return meet(box, inner, *low);
    }
    case Kind::Add: {
      if (term.operands().size() != 2 || !term.operand(1).is_constant()) {
        return true;
      }
      const Range step = evaluate(term.operand(1), box);
      const Range before = evaluate(inner, box);
      const Range all = all_of(term.sort());
      if (before.low + step.low < all.low ||
          before.high + step.low > all.high) {
        return true;  // It may wrap.
      }
      return meet(box, inner, {both->low - step.low, both->high - step.low});
    }
    default:
      return true;
  }
}

}  // namespace agon::domain
