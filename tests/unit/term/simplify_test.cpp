// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "term/pool.h"
#include "term/substitute.h"

namespace agon::term {
namespace {

class Simplify : public testing::Test {
 protected:
  Term bits(Bits value, unsigned width = 32) { return pool.bits(value, width); }
  Term less(Term s, Term t) { return pool.signed_less(s, t); }
  Term truth(Term condition, unsigned width = 32) {
    return pool.ite(condition, bits(1, width), bits(0, width));
  }

  Pool pool;
  const Term yes = pool.boolean(true);
  const Term no = pool.boolean(false);
  const Term p = pool.variable("p", Sort::boolean());
  const Term q = pool.variable("q", Sort::boolean());
  const Term r = pool.variable("r", Sort::boolean());
  const Term x = pool.variable("x", Sort::bits(32));
  const Term y = pool.variable("y", Sort::bits(32));
  const Term c = pool.variable("c", Sort::bits(8));
  const Term i = pool.variable("i", Sort::integer());
  const Term a = pool.variable("a", Sort::bits(64));
  const Term m = pool.variable("m", Sort::array(64, 8));
};

TEST_F(Simplify, Junctions) {
  EXPECT_EQ(pool.conjunction({q, pool.conjunction({p, r}), yes, q}),
            pool.conjunction({p, q, r}));
  EXPECT_EQ(pool.conjunction({p, q, pool.negation(p)}), no);
  EXPECT_EQ(pool.disjunction({p, q, pool.negation(p)}), yes);
  EXPECT_EQ(pool.conjunction({less(x, y), q, pool.negation(less(x, y))}), no);
  EXPECT_EQ(pool.conjunction({p, no}), no);
  EXPECT_EQ(pool.conjunction({}), yes);
  EXPECT_EQ(pool.disjunction({}), no);
  EXPECT_EQ(pool.implies(p, p), yes);
}

TEST_F(Simplify, NegatedOrders) {
  EXPECT_EQ(pool.negation(pool.unsigned_less(x, y)),
            pool.binary(Kind::ULessEqual, y, x));
  EXPECT_EQ(pool.negation(pool.binary(Kind::SLessEqual, x, y)), less(y, x));
  EXPECT_EQ(pool.negation(pool.negation(pool.equal(x, y))), pool.equal(x, y));
}

TEST_F(Simplify, TruthValuesOfC) {
  const Term condition = less(x, y);
  for (const unsigned width : {1U, 8U, 32U, 64U}) {
    const Term t = truth(condition, width);
    EXPECT_EQ(pool.equal(t, bits(0, width)), pool.negation(condition));
    EXPECT_EQ(pool.equal(bits(1, width), t), condition);
  }
  const Term t = truth(condition);
  EXPECT_EQ(pool.equal(t, bits(2)), no);
  EXPECT_EQ(pool.equal(pool.zero_extend(t, 64), bits(0, 64)),
            pool.negation(condition));
  EXPECT_EQ(pool.equal(pool.sign_extend(t, 64), bits(1, 64)), condition);
  EXPECT_EQ(pool.equal(pool.extract(t, 0, 8), bits(0, 8)),
            pool.negation(condition));
  EXPECT_EQ(pool.equal(pool.bit_and(t, truth(p)), bits(0)),
            pool.negation(pool.conjunction({condition, p})));
  EXPECT_EQ(pool.equal(pool.bit_or(t, truth(p)), bits(0)),
            pool.negation(pool.disjunction({condition, p})));
  EXPECT_EQ(pool.equal(pool.binary(Kind::BitXor, t, truth(p)), bits(0)),
            pool.equal(condition, p));
  EXPECT_EQ(less(bits(0), t), condition);
  EXPECT_EQ(pool.equal(pool.ite(p, bits(5), pool.ite(q, x, bits(6))), bits(6)),
            pool.conjunction({pool.negation(p),
                              pool.disjunction({pool.negation(q),
                                                pool.equal(x, bits(6))})}));
}

TEST_F(Simplify, Equations) {
  EXPECT_EQ(pool.equal(pool.add(x, bits(3)), bits(1)),
            pool.equal(x, bits(-Bits{2})));
  EXPECT_EQ(pool.equal(pool.zero_extend(c, 32), bits(256)), no);
  EXPECT_EQ(pool.equal(pool.zero_extend(c, 32), bits(255)),
            pool.equal(c, bits(255, 8)));
  EXPECT_EQ(pool.equal(pool.sign_extend(c, 32), bits(255)), no);
  EXPECT_EQ(pool.equal(pool.sign_extend(c, 32), bits(-Bits{1})),
            pool.equal(c, bits(255, 8)));
  const Term g = pool.address("g", 64);
  const Term h = pool.address("h", 64);
  EXPECT_EQ(pool.equal(g, h), no);
  EXPECT_EQ(pool.equal(g, bits(0, 64)), no);
  EXPECT_EQ(pool.equal(pool.add(g, bits(4, 64)), pool.add(h, bits(4, 64))), no);
  EXPECT_EQ(pool.equal(pool.add(x, y), pool.add(y, bits(2))),
            pool.equal(x, bits(2)));
  EXPECT_EQ(pool.equal(pool.add(x, y), x), pool.equal(y, bits(0)));
  EXPECT_EQ(pool.equal(pool.subtract(x, y), bits(0)), pool.equal(x, y));
  EXPECT_EQ(pool.equal(p, no), pool.negation(p));
  EXPECT_EQ(pool.equal(pool.add(i, pool.integer(3)), pool.integer(1)),
            pool.equal(i, pool.integer(-2)));
}

TEST_F(Simplify, Choices) {
  EXPECT_EQ(pool.ite(pool.negation(p), x, y), pool.ite(p, y, x));
  EXPECT_EQ(pool.ite(p, pool.ite(p, x, y), y), pool.ite(p, x, y));
  EXPECT_EQ(pool.ite(p, x, pool.ite(p, x, y)), pool.ite(p, x, y));
  EXPECT_EQ(pool.ite(p, x, pool.ite(q, x, y)),
            pool.ite(pool.disjunction({p, q}), x, y));
  EXPECT_EQ(pool.ite(p, q, no), pool.conjunction({p, q}));
  EXPECT_EQ(pool.ite(p, yes, no), p);
}

TEST_F(Simplify, Sums) {
  EXPECT_EQ(pool.subtract(x, bits(1)), pool.add(x, bits(~Bits{0})));
  EXPECT_EQ(pool.add(pool.add(x, bits(1)), pool.add(y, bits(2))),
            pool.add(bits(3), pool.add(y, x)));
  EXPECT_EQ(pool.subtract(pool.add(a, bits(8, 64)), a), bits(8, 64));
  EXPECT_EQ(pool.subtract(x, x), bits(0));
  EXPECT_EQ(pool.subtract(bits(5), pool.subtract(bits(3), x)),
            pool.add(x, bits(2)));
  EXPECT_EQ(pool.subtract(bits(0), pool.subtract(x, y)), pool.subtract(y, x));
  EXPECT_EQ(pool.multiply(pool.add(x, bits(1)), bits(4)),
            pool.add(pool.multiply(x, bits(4)), bits(4)));
  EXPECT_EQ(pool.multiply(x, bits(0)), bits(0));
  EXPECT_EQ(pool.negate(pool.negate(i)), i);
  EXPECT_EQ(pool.binary(Kind::UDivide, x, bits(0)), bits(~Bits{0}));
  EXPECT_EQ(pool.binary(Kind::URemainder, x, bits(0)), x);
  EXPECT_EQ(pool.binary(Kind::SDivide, i, pool.integer(0)), pool.integer(0));
}

TEST_F(Simplify, Bits) {
  const Term ones = bits(~Bits{0});
  EXPECT_EQ(pool.bit_and(x, bits(0)), bits(0));
  EXPECT_EQ(pool.bit_and(ones, x), x);
  EXPECT_EQ(pool.bit_or(x, ones), ones);
  EXPECT_EQ(pool.binary(Kind::BitXor, x, x), bits(0));
  EXPECT_EQ(pool.binary(Kind::BitXor, x, ones), pool.unary(Kind::BitNot, x));
  EXPECT_EQ(pool.binary(Kind::BitXor, pool.unary(Kind::BitNot, x), bits(1)),
            pool.binary(Kind::BitXor, x, bits(~Bits{1})));
  EXPECT_EQ(pool.shift_left(x, bits(32)), bits(0));
  EXPECT_EQ(pool.shift_left(x, bits(0)), x);
  EXPECT_EQ(pool.binary(Kind::ShiftRightSigned, x, bits(77)),
            pool.binary(Kind::ShiftRightSigned, x, bits(31)));
}

TEST_F(Simplify, Widths) {
  const Term high = pool.extract(x, 8, 24);
  const Term low = pool.extract(x, 0, 8);
  EXPECT_EQ(pool.concat(high, low), x);
  EXPECT_EQ(pool.concat(bits(0, 8), c), pool.zero_extend(c, 16));
  EXPECT_EQ(pool.extract(pool.sign_extend(c, 64), 0, 8), c);
  EXPECT_EQ(pool.extract(pool.zero_extend(c, 64), 8, 8), bits(0, 8));
  EXPECT_EQ(pool.extract(pool.concat(x, c), 8, 32), x);
  EXPECT_EQ(pool.extract(pool.shift_left(x, bits(8)), 16, 8),
            pool.extract(x, 8, 8));
  EXPECT_EQ(pool.extract(pool.extract(x, 4, 20), 4, 8), pool.extract(x, 8, 8));
  EXPECT_EQ(pool.zero_extend(pool.zero_extend(c, 16), 32),
            pool.zero_extend(c, 32));
  EXPECT_EQ(pool.extract(pool.add(pool.sign_extend(c, 32), bits(1)), 0, 8),
            pool.add(c, bits(1, 8)));
}

TEST_F(Simplify, Orders) {
  EXPECT_EQ(pool.unsigned_less(x, bits(0)), no);
  EXPECT_EQ(pool.binary(Kind::ULessEqual, x, bits(~Bits{0})), yes);
  EXPECT_EQ(pool.unsigned_less(bits(0), x),
            pool.negation(pool.equal(x, bits(0))));
  EXPECT_EQ(less(bits(0x7fffffff), x), no);
  const Term wide = pool.zero_extend(c, 32);
  EXPECT_EQ(less(wide, bits(10)), pool.unsigned_less(c, bits(10, 8)));
  const Term d = pool.variable("d", Sort::bits(8));
  EXPECT_EQ(less(wide, pool.zero_extend(d, 32)), pool.unsigned_less(c, d));
  EXPECT_EQ(less(wide, bits(256)), yes);
  EXPECT_EQ(less(wide, bits(-Bits{1})), no);
  EXPECT_EQ(less(pool.sign_extend(c, 32), bits(10)), less(c, bits(10, 8)));
  EXPECT_EQ(less(pool.add(i, pool.integer(1)), pool.integer(3)),
            less(i, pool.integer(2)));
}

TEST_F(Simplify, ReadsOverWrites) {
  const auto at = [&](Bits offset) { return pool.add(a, bits(offset, 64)); };
  const Term w = pool.write(pool.write(m, at(0), x), at(4), y);
  EXPECT_EQ(pool.read(w, at(0), 4), x);
  EXPECT_EQ(pool.read(w, at(4), 4), y);
  EXPECT_EQ(pool.read(w, at(5), 2), pool.extract(y, 8, 16));
  EXPECT_EQ(pool.read(w, at(8), 8), pool.read(m, at(8), 8));
  EXPECT_EQ(pool.read(w, at(-Bits{4}), 4), pool.read(m, at(-Bits{4}), 4));
  EXPECT_EQ(pool.read(w, at(2), 4).kind(), Kind::Read);
  EXPECT_EQ(pool.read(w, at(2), 4).operand(0), w);
  const Term b = pool.variable("b", Sort::bits(64));
  EXPECT_EQ(pool.read(w, b, 4).operand(0), w);
  EXPECT_EQ(pool.write(w, at(4), x),
            pool.write(pool.write(m, at(0), x), at(4), x));
  EXPECT_EQ(pool.write(m, a, pool.read(m, a, 4)), m);
  EXPECT_EQ(pool.read(pool.constant_array(c, 64), a, 2), pool.concat(c, c));
}

TEST_F(Simplify, ReadsOverCopies) {
  const Term n = pool.variable("n", Sort::array(64, 8));
  const Term b = pool.variable("b", Sort::bits(64));
  const auto at = [&](Term base, Bits offset) {
    return pool.add(base, bits(offset, 64));
  };
  const Term copied = pool.copy(m, a, bits(16, 64), n, b);
  EXPECT_EQ(pool.read(copied, at(a, 12), 4), pool.read(n, at(b, 12), 4));
  EXPECT_EQ(pool.read(copied, at(a, 16), 4), pool.read(m, at(a, 16), 4));
  EXPECT_EQ(pool.read(copied, at(a, 14), 4).operand(0), copied);
  EXPECT_EQ(pool.copy(m, a, bits(0, 64), n, b), m);
}

// One term at a time, and each operand once: this takes minutes if every step
// copies what there is.
TEST_F(Simplify, GrowsConjunctionsCheaply) {
  Term all = yes;
  for (unsigned k = 0; k < 200'000; ++k) {
    all = pool.conjunction({all, pool.unsigned_less(x, pool.add(y, bits(k)))});
  }
  std::size_t orders = 0;
  visit_subterms(all,
                 [&](Term t) { orders += t.kind() == Kind::ULess ? 1 : 0; });
  EXPECT_EQ(orders, 200'000U);
}

TEST_F(Simplify, SurvivesDeepTerms) {
  Term count = bits(0);
  Term sum = x;
  Term other = y;
  Term memory = m;
  for (unsigned k = 0; k < 100'000; ++k) {
    const Term v = pool.fresh("v", Sort::bits(32));
    count = pool.ite(less(v, x), bits(0), pool.add(count, bits(1)));
    sum = pool.add(sum, v);
    other = pool.add(other, v);
    memory = pool.write(memory, bits(k * 4, 64), v);
  }
  EXPECT_EQ(pool.equal(count, bits(0)).kind(), Kind::Equal);
  EXPECT_EQ(pool.equal(sum, other), pool.equal(x, y));
  EXPECT_TRUE(pool.read(memory, bits(0, 64), 4).valid());
}

}  // namespace
}  // namespace agon::term
