// SPDX-License-Identifier: Apache-2.0
/// Random terms, each together with the plain tree that was asked for, and the
/// value of such trees by definition.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "helpers/random_lts.h"
#include "term/evaluate.h"
#include "term/pool.h"

namespace agon::test {

using term::Assignment;
using term::Bits;
using term::Integer;
using term::Kind;
using term::Pool;
using term::Sort;
using term::Term;
using term::Value;

struct Tree;
using SharedTree = std::shared_ptr<const Tree>;

/// A term as it was asked for. Constants have a number, variables the term.
struct Tree {
  Kind kind;
  Sort sort;
  unsigned parameter = 0;
  std::vector<SharedTree> operands;
  Integer number;
  Term variable;
};

/// What was asked for and what the pool made of it.
struct Pair {
  SharedTree tree;
  Term term;
};

struct TermShape {
  std::vector<unsigned> widths{1, 8, 16, 32, 64, 96, 128};
  bool integers = true;
  bool arrays = true;
  bool copies = true;
  bool addresses = true;
  /// Division and shifts, whose corner cases C leaves undefined.
  bool partial = true;
  /// Only constants and widths that C has names for.
  bool like_c = false;
};

inline Integer random_number(Random& random, unsigned width) {
  const Integer modulus = Integer(1) << width;
  Integer value = 0;
  switch (below(random, 6)) {
    case 0:
      value = below(random, 5);
      break;
    case 1:
      value = modulus - 1 - below(random, 5);
      break;
    case 2:
      value = modulus / 2 - 2 + below(random, 5);
      break;
    case 3:
      value = Integer(1) << below(random, width);
      break;
    case 4:
      value = below(random, width + 2);
      break;
    default:
      value = (Integer(random()) << 64) + random();
  }
  value %= modulus;
  return value < 0 ? Integer(value + modulus) : value;
}

class RandomTerms {
 public:
  RandomTerms(Pool& pool, Random& random, TermShape shape)
      : pool_(pool), random_(random), shape_(std::move(shape)) {}

  Sort scalar_sort() {
    const std::size_t dice = below(random_, 8);
    if (dice == 0) return Sort::boolean();
    if (dice == 1 && shape_.integers) return Sort::integer();
    return Sort::bits(width());
  }

  Pair make(Sort sort, unsigned depth) {
    auto& earlier = made_[sort];
    if (!earlier.empty() && below(random_, 4) == 0) {
      return earlier[below(random_, earlier.size())];
    }
    Pair pair = depth == 0 ? leaf(sort) : compound(sort, depth - 1);
    made_[sort].push_back(pair);
    return pair;
  }

  const std::vector<Term>& variables() const { return variables_; }

  Assignment assignment() {
    Assignment result;
    for (const Term variable : variables_) {
      result[variable] = variable.kind() == Kind::Address
                             ? address_value(variable)
                             : value(variable.sort());
    }
    return result;
  }

 private:
  unsigned width() {
    return shape_.widths[below(random_, shape_.widths.size())];
  }
  bool flip() { return below(random_, 2) == 0; }

  Integer element(unsigned width) {
    if (width != 0) return random_number(random_, width);
    const Integer magnitude = random_number(random_, flip() ? 4 : 70);
    return flip() ? magnitude : Integer(-magnitude);
  }

  Value value(Sort sort) {
    if (sort.is_bool()) return {sort, below(random_, 2), {}};
    Value result{sort, element(sort.width), {}};
    if (!sort.is_array()) return result;
    for (int i = 0; i < 6; ++i) {
      const Integer index =
          flip() ? Integer(below(random_, 8)) : element(sort.index_width);
      const Integer number = element(sort.width);
      if (number != result.number) result.elements[index] = number;
    }
    return result;
  }

  /// Not 0, and different from that of other names, which end differently.
  Value address_value(Term address) {
    const Integer last = 1 + address.name().back() - '0';
    return {
        address.sort(),
        random_number(random_, std::max(address.width(), 16U) - 2) * 4 + last,
        {}};
  }

  Term constant(Sort sort, const Integer& number) {
    if (sort.is_bool()) return pool_.boolean(number != 0);
    if (sort.is_int()) return pool_.integer(number);
    return pool_.bits(static_cast<Bits>(number), sort.width);
  }

  Pair variable(Sort sort) {
    std::string name = "v" + std::to_string(static_cast<int>(sort.kind));
    name += "_" + std::to_string(sort.width);
    name += "_" + std::to_string(sort.index_width);
    name += "_" + std::to_string(below(random_, 3));
    const bool address = shape_.addresses && !sort.is_bool() &&
                         !sort.is_array() && sort.width % 16 == 0 &&
                         below(random_, 4) == 0;
    if (address) name = "at " + name;
    const bool known = static_cast<bool>(pool_.find(name));
    const Term term =
        address ? pool_.address(name, sort.width) : pool_.variable(name, sort);
    if (!known) variables_.push_back(term);
    return {std::make_shared<Tree>(Tree{Kind::Variable, sort, 0, {}, 0, term}),
            term};
  }

  Pair leaf(Sort sort) {
    if (sort.is_array() || below(random_, 3) != 0) return variable(sort);
    return constant_pair(sort, sort.is_bool() ? Integer(below(random_, 2))
                                              : element(sort.width));
  }

  Pair node(Kind kind, Sort sort, const std::vector<Pair>& operands, Term term,
            unsigned parameter = 0) {
    Tree tree{kind, sort, parameter, {}, 0, {}};
    for (const Pair& operand : operands) tree.operands.push_back(operand.tree);
    return {std::make_shared<Tree>(std::move(tree)), term};
  }

  Pair ite(Sort sort, unsigned depth) {
    const Pair c = make(Sort::boolean(), depth);
    const Pair a = make(sort, depth);
    const Pair b = make(sort, depth);
    return node(Kind::Ite, sort, {c, a, b}, pool_.ite(c.term, a.term, b.term));
  }

  Pair constant_pair(Sort sort, const Integer& number) {
    return {
        std::make_shared<Tree>(Tree{Kind::Constant, sort, 0, {}, number, {}}),
        constant(sort, number)};
  }

  /// How C represents a condition.
  Pair truth_value(Sort sort, unsigned depth) {
    const Pair c = make(Sort::boolean(), depth);
    const Integer one = below(random_, 2);
    const Pair a = constant_pair(sort, one);
    const Pair b = constant_pair(sort, 1 - one);
    return node(Kind::Ite, sort, {c, a, b}, pool_.ite(c.term, a.term, b.term));
  }

  Pair compound(Sort sort, unsigned depth) {
    if (below(random_, 8) == 0) return leaf(sort);
    if (sort.is_bits() && below(random_, 10) == 0) {
      return truth_value(sort, depth);
    }
    if (below(random_, 6) == 0) return ite(sort, depth);
    switch (sort.kind) {
      case term::SortKind::Bool:
        return boolean(depth);
      case term::SortKind::Int:
        return arithmetic(sort, depth);
      case term::SortKind::Array:
        return array(sort, depth);
      default:
        return bits(sort.width, depth);
    }
  }

  Pair junction(unsigned depth) {
    const Kind kind = flip() ? Kind::And : Kind::Or;
    std::vector<Pair> operands;
    std::vector<Term> terms;
    for (std::size_t n = 2 + below(random_, 3); n > 0; --n) {
      operands.push_back(make(Sort::boolean(), depth));
      terms.push_back(operands.back().term);
    }
    return node(kind, Sort::boolean(), operands,
                kind == Kind::And ? pool_.conjunction(terms)
                                  : pool_.disjunction(terms));
  }

  Pair boolean(unsigned depth) {
    const std::size_t dice = below(random_, 6);
    if (dice == 0) return junction(depth);
    if (dice == 1) {
      const Pair a = make(Sort::boolean(), depth);
      return node(Kind::Not, Sort::boolean(), {a}, pool_.negation(a.term));
    }
    const Sort sort = scalar_sort();
    const bool extended = sort.width > 8 && below(random_, 4) == 0;
    const Pair a =
        extended ? of_other_width(sort.width, depth) : make(sort, depth);
    const Pair b = extended ? of_other_width(sort.width, depth)
                   : flip() ? leaf(sort)
                            : make(sort, depth);
    if (dice <= 3 || sort.is_bool()) {
      return node(Kind::Equal, Sort::boolean(), {a, b},
                  pool_.equal(a.term, b.term));
    }
    const bool is_signed = sort.is_int() || flip();
    const Kind kind = flip()
                          ? (is_signed ? Kind::SLess : Kind::ULess)
                          : (is_signed ? Kind::SLessEqual : Kind::ULessEqual);
    return flip() ? node(kind, Sort::boolean(), {a, b},
                         pool_.binary(kind, a.term, b.term))
                  : node(kind, Sort::boolean(), {b, a},
                         pool_.binary(kind, b.term, a.term));
  }

  Pair binary(Kind kind, Sort sort, unsigned depth) {
    const Pair a = make(sort, depth);
    const Pair b = flip() ? leaf(sort) : make(sort, depth);
    return node(kind, sort, {a, b}, pool_.binary(kind, a.term, b.term));
  }

  Pair unary(Kind kind, Sort sort, unsigned depth) {
    const Pair a = make(sort, depth);
    return node(kind, sort, {a}, pool_.unary(kind, a.term));
  }

  Pair arithmetic(Sort sort, unsigned depth) {
    static const std::vector<Kind> kinds{Kind::Add,      Kind::Add,
                                         Kind::Subtract, Kind::Multiply,
                                         Kind::SDivide,  Kind::SRemainder};
    if (shape_.arrays && below(random_, 6) == 0) {
      return read(Sort::array(flip() ? 0 : 8, 0), 1, depth);
    }
    if (below(random_, 6) == 0) return unary(Kind::Negate, sort, depth);
    return binary(kinds[below(random_, kinds.size())], sort, depth);
  }

  Pair bits(unsigned width, unsigned depth) {
    static const std::vector<Kind> kinds{
        Kind::Add,        Kind::Add,
        Kind::Subtract,   Kind::Multiply,
        Kind::BitAnd,     Kind::BitOr,
        Kind::BitXor,     Kind::UDivide,
        Kind::URemainder, Kind::SDivide,
        Kind::SRemainder, Kind::ShiftLeft,
        Kind::ShiftRight, Kind::ShiftRightSigned};
    const Sort sort = Sort::bits(width);
    const std::size_t dice = below(random_, 10);
    if (dice == 0) {
      return unary(flip() ? Kind::Negate : Kind::BitNot, sort, depth);
    }
    if (dice <= 3) return of_other_width(width, depth);
    if (dice <= 5 && shape_.arrays && width % 8 == 0) {
      const unsigned element = width % 16 == 0 && flip() ? 16 : 8;
      if (width / element <= 8) {
        return read(Sort::array(flip() ? 8 : 16, element), width / element,
                    depth);
      }
    }
    return binary(kinds[below(random_, shape_.partial ? kinds.size() : 7)],
                  sort, depth);
  }

  Pair of_other_width(unsigned width, unsigned depth) {
    const Sort sort = Sort::bits(width);
    const unsigned other = this->width();
    if (other > width) {
      const Pair a = make(Sort::bits(other), depth);
      const unsigned room = other - width;
      const auto low = shape_.like_c || flip()
                           ? 0
                           : static_cast<unsigned>(below(random_, room + 1));
      return node(Kind::Extract, sort, {a}, pool_.extract(a.term, low, width),
                  low);
    }
    if (other == width) return binary(Kind::Add, sort, depth);
    const Pair a = make(Sort::bits(other), depth);
    if (!shape_.like_c && below(random_, 3) == 0) {
      const Pair b = make(Sort::bits(width - other), depth);
      return node(Kind::Concat, sort, {a, b}, pool_.concat(a.term, b.term));
    }
    const Kind kind = flip() ? Kind::ZeroExtend : Kind::SignExtend;
    return node(kind, sort, {a},
                kind == Kind::ZeroExtend ? pool_.zero_extend(a.term, width)
                                         : pool_.sign_extend(a.term, width));
  }

  /// Mostly one of a few bases plus a small constant, so that blocks collide.
  Pair index(Sort sort, unsigned depth) {
    const Pair base = below(random_, 4) == 0 ? make(sort, depth) : leaf(sort);
    const Pair constant = constant_pair(sort, below(random_, 12));
    return node(Kind::Add, sort, {base, constant},
                pool_.add(base.term, constant.term));
  }

  Pair read(Sort sort, unsigned count, unsigned depth) {
    const Pair a = make(sort, depth);
    const Pair i = index(sort.index(), depth);
    return node(
        Kind::Read,
        sort.width == 0 ? sort.element() : Sort::bits(sort.width * count),
        {a, i}, pool_.read(a.term, i.term, count), count);
  }

  Pair array(Sort sort, unsigned depth) {
    const std::size_t dice = below(random_, 8);
    if (dice == 0) {
      const Pair element = make(sort.element(), depth);
      return node(Kind::ConstantArray, sort, {element},
                  pool_.constant_array(element.term, sort.index_width));
    }
    const Pair a = make(sort, depth);
    const Pair i = index(sort.index(), depth);
    if (dice <= 2 && shape_.copies) {
      const Pair n = flip() ? leaf(sort.index()) : index(sort.index(), 0);
      const Pair b = make(sort, depth);
      const Pair j = index(sort.index(), depth);
      return node(Kind::Copy, sort, {a, i, n, b, j},
                  pool_.copy(a.term, i.term, n.term, b.term, j.term));
    }
    const auto most = sort.width == 0 ? 1 : std::min(8, 128 / sort.width);
    const auto count = 1 + static_cast<unsigned>(
                               below(random_, static_cast<std::size_t>(most)));
    const Pair v =
        make(sort.width == 0 ? sort.element() : Sort::bits(sort.width * count),
             depth);
    return node(Kind::Write, sort, {a, i, v},
                pool_.write(a.term, i.term, v.term), count);
  }

  Pool& pool_;
  Random& random_;
  TermShape shape_;
  std::vector<Term> variables_;
  std::map<Sort, std::vector<Pair>> made_;
};

}  // namespace agon::test
