// SPDX-License-Identifier: Apache-2.0
// Terms over integers against the bits that they stand for.
#include "analysis/integer_terms.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "analysis/mathematical.h"
#include "helpers/build_program.h"
#include "helpers/random_lts.h"
#include "term/evaluate.h"
#include "term/substitute.h"

namespace agon::analysis {
namespace {

using term::Bits;
using term::Integer;
using term::Kind;
using term::Sort;
using term::Term;
using test::below;

constexpr unsigned kWidths[] = {8, 16, 32, 64};

/// The number that bits stand for, from the definition of two's complement.
Integer read_bits(const Integer& bits, unsigned width, Reading reading) {
  const Integer half = Integer(1) << (width - 1);
  return reading == Reading::Signed && bits >= half ? Integer(bits - 2 * half)
                                                    : bits;
}

/// Terms whose arithmetic cannot overflow, over variables of all types.
class RandomExact {
 public:
  RandomExact(ir::Program& program, test::Random& random)
      : program_(program), pool_(*program.pool), random_(random) {
    for (const unsigned width : kWidths) {
      for (const bool is_signed : {false, true}) {
        const auto type = test::add_integer(program, "t", width / 8, is_signed);
        for (const char* const name : {"x", "y"}) {
          variables_[width].push_back(
              program[test::add_global(program, name, type)].term);
        }
      }
    }
    for (const unsigned width : {8U, 32U}) {
      ir::Variable array;
      array.name = "region";
      array.kind = ir::VariableKind::Memory;
      arrays_.push_back(
          program[program.add_variable(array, Sort::array(64, width))].term);
    }
  }

  Term boolean(unsigned depth) {
    const unsigned width = any_width();
    const Term a = bits(width, depth);
    const Term b =
        below(random_, 3) == 0 ? constant(width) : bits(width, depth);
    switch (below(random_, 7)) {
      case 0:
        return pool_.equal(a, b);
      case 1:
        return pool_.unsigned_less(a, b);
      case 2:
        return pool_.binary(Kind::ULessEqual, b, a);
      case 3:
        return pool_.signed_less(a, b);
      case 4:
        return pool_.binary(Kind::SLessEqual, b, a);
      case 5:
        return depth == 0 ? pool_.equal(a, b)
                          : pool_.conjunction(
                                {boolean(depth - 1), boolean(depth - 1)});
      default:
        return pool_.negation(pool_.equal(b, a));
    }
  }

  Term bits(unsigned width, unsigned depth) {
    if (depth == 0) return leaf(width);
    const unsigned d = depth - 1;
    const auto sub = [&] { return bits(width, d); };
    switch (below(random_, 12)) {
      case 0:
        return pool_.ite(boolean(d), sub(), sub());
      case 1:
      case 2:
        return other_width(width, d);
      case 3:
      case 4:
        return narrow_arithmetic(width, d);
      case 5:
        return pool_.binary(any({Kind::UDivide, Kind::URemainder}), sub(),
                            divisor(width));
      case 6:
        return pool_.binary(any({Kind::SDivide, Kind::SRemainder}), sub(),
                            divisor(width));
      case 7:
        return pool_.binary(any({Kind::ShiftRight, Kind::ShiftRightSigned}),
                            sub(), pool_.bits(below(random_, width), width));
      case 8:
        return pool_.unary(Kind::BitNot, sub());
      case 9:
      case 10:
        return pool_.binary(any({Kind::BitAnd, Kind::BitOr, Kind::BitXor}),
                            sub(), mask(width));
      default:
        return read(width, d);
    }
  }

  term::Assignment assignment() {
    term::Assignment result;
    for (const auto& [width, all] : variables_) {
      for (const Term v : all) {
        result[v] = {v.sort(), Integer(constant(width).value()), {}};
      }
    }
    for (const Term array : arrays_) {
      term::Value value{array.sort(), 0, {}};
      for (int i = 0; i < 16; ++i) {
        value.elements[i] = Integer(constant(array.width()).value());
      }
      std::erase_if(value.elements,
                    [](const auto& element) { return element.second == 0; });
      result[array] = value;
    }
    return result;
  }

  unsigned any_width() { return kWidths[below(random_, 4)]; }

 private:
  Kind any(std::vector<Kind> kinds) {
    return kinds[below(random_, kinds.size())];
  }

  Term constant(unsigned width) {
    const Bits small = below(random_, 3);
    switch (below(random_, 4)) {
      case 0:
        return pool_.bits(small, width);
      case 1:
        return pool_.bits(-small, width);
      case 2:
        return pool_.bits((Bits{1} << (width - 1)) - 1 + small, width);
      default:
        return pool_.bits(random_(), width);
    }
  }

  Term leaf(unsigned width) {
    const auto& all = variables_.at(width);
    return below(random_, 5) == 0 ? constant(width)
                                  : all[below(random_, all.size())];
  }

  /// Not 0, and not -1, by which the least number cannot be divided.
  Term divisor(unsigned width) {
    return pool_.bits(1 + below(random_, 100), width);
  }

  /// At most four runs of ones below a highest bit of 0, or the opposite.
  Term mask(unsigned width) {
    Bits ones = 0;
    for (int run = 0; run < 3; ++run) {
      const auto low = static_cast<unsigned>(below(random_, width - 1));
      const auto length =
          static_cast<unsigned>(below(random_, width - 1 - low));
      ones |= term::mask(length) << low;
    }
    return pool_.bits(below(random_, 2) == 0 ? ones : ~ones, width);
  }

  Term other_width(unsigned width, unsigned d) {
    const unsigned other = any_width();
    const Term term = bits(other, d);
    if (other < width) {
      return below(random_, 2) == 0 ? pool_.sign_extend(term, width)
                                    : pool_.zero_extend(term, width);
    }
    if (other == width) {
      return pool_.concat(pool_.extract(term, width / 2, width / 2),
                          pool_.extract(bits(other, d), 0, width / 2));
    }
    return pool_.extract(
        term, static_cast<unsigned>(below(random_, other - width + 1)), width);
  }

  /// Of numbers so small that nothing can overflow.
  Term narrow_arithmetic(unsigned width, unsigned d) {
    if (width == 8) return leaf(width);
    const auto small = [&] {
      const unsigned part = width / 2 - 2;
      return pool_.sign_extend(pool_.extract(bits(width, d), 1, part), width);
    };
    return pool_.binary(any({Kind::Add, Kind::Subtract, Kind::Multiply}),
                        small(), small());
  }

  Term read(unsigned width, unsigned d) {
    for (const Term array : arrays_) {
      const unsigned element = array.width();
      if (width % element != 0 || below(random_, 2) == 0) continue;
      const Term index = pool_.bit_and(bits(64, d), pool_.bits(7, 64));
      Term written = array;
      if (below(random_, 2) == 0) {
        const Term at = pool_.bit_and(bits(64, d), pool_.bits(7, 64));
        written = below(random_, 3) == 0
                      ? pool_.copy(array, at, pool_.bits(3, 64), array, index)
                      : pool_.write(array, at, bits(width, d));
      }
      return pool_.read(written, index, width / element);
    }
    return leaf(width);
  }

  ir::Program& program_;
  term::Pool& pool_;
  test::Random& random_;
  std::map<unsigned, std::vector<Term>> variables_;
  std::vector<Term> arrays_;
};

/// The integers that an assignment of bits stands for.
term::Assignment to_integers(const Mathematical& both,
                             const std::vector<Reading>& readings,
                             const term::Assignment& machine) {
  term::Assignment result;
  for (std::size_t i = 0; i < both.machine().variables.size(); ++i) {
    const Term old = both.machine().variables[i].term;
    const auto at = machine.find(old);
    if (at == machine.end()) continue;
    const Term integer = both.program().variables[i].term;
    const unsigned width = old.width();
    term::Value value{
        integer.sort(), read_bits(at->second.number, width, readings[i]), {}};
    for (const auto& [index, element] : at->second.elements) {
      value.elements[index] = read_bits(element, width, readings[i]);
    }
    result[integer] = value;
  }
  return result;
}

bool is_exact(Term t, Reading reading, const term::Assignment& values) {
  const auto number = [&](Term of) {
    return read_bits(term::evaluate(of, values).number, t.width(), reading);
  };
  const Integer a = number(t.operand(0));
  const Integer b = number(t.operand(1));
  if (t.kind() == Kind::Add) return a + b == number(t);
  if (t.kind() == Kind::Subtract) return a - b == number(t);
  return a * b == number(t);
}

/// Whether arithmetic overflows. The terms are made so that it does not, but
/// where only the lower half of a product is used the pool computes no more
/// than that, from the lower halves of its operands.
bool overflows(Term root, const term::Assignment& values) {
  bool result = false;
  term::visit_subterms(root, [&](Term t) {
    if (t.kind() != Kind::Add && t.kind() != Kind::Subtract &&
        t.kind() != Kind::Multiply) {
      return;
    }
    const bool is_cut = t.operand(0).kind() == Kind::Extract ||
                        t.operand(1).kind() == Kind::Extract;
    result |= !is_exact(t, Reading::Signed, values) ||
              (is_cut && !is_exact(t, Reading::Unsigned, values));
  });
  return result;
}

TEST(IntegerTerms, AreTheNumbersThatTheBitsStandFor) {
  std::size_t terms_with_any = 0;
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < test::scaled(300); ++seed) {
    test::Random random(seed);
    ir::Program program(ir::DataModel::LP64);
    RandomExact exact(program, random);
    const auto entry = test::add_function(program, "f");
    test::Body body(program, entry);
    body.leave();
    body.finish();
    const Mathematical both(program, entry);
    const auto readings = find_readings(program);
    IntegerTerms terms(both.machine(), both.program(), readings);
    for (int i = 0; i < 10; ++i) {
      const bool is_condition = below(random, 3) == 0;
      const Term term =
          is_condition ? exact.boolean(3) : exact.bits(exact.any_width(), 4);
      const Reading reading =
          below(random, 2) == 0 ? Reading::Signed : Reading::Unsigned;
      bool has_any = false;
      terms.forget();
      const Term integer = terms.translate(term, reading, [&](Term) {
        has_any = true;
        return both.program().pool->integer(0);
      });
      terms_with_any += has_any ? 1 : 0;
      for (int j = 0; j < 4 && !has_any; ++j) {
        const term::Assignment values = exact.assignment();
        if (overflows(term, values)) continue;
        ++compared;
        const Integer expected = term::evaluate(term, values).number;
        const Integer found =
            term::evaluate(integer, to_integers(both, readings, values)).number;
        ASSERT_EQ(found, is_condition
                             ? expected
                             : read_bits(expected, term.width(), reading))
            << seed << " " << i;
      }
    }
  }
  EXPECT_LT(terms_with_any, test::scaled(300) / 10);  // Scattered masks.
  EXPECT_GT(compared, test::scaled(300) * 39);
}

class MathematicalTest : public testing::Test {
 protected:
  MathematicalTest() : program(ir::DataModel::LP64), pool(*program.pool) {
    program.files = {"c"};
    type = test::add_integer(program, "int", 4);
    other = test::add_integer(program, "unsigned", 4, false);
    entry = test::add_function(program, "f");
    body.emplace(program, entry);
  }

  ir::Program program;
  term::Pool& pool;
  ir::TypeId type;
  ir::TypeId other;
  ir::FunctionId entry;
  std::optional<test::Body> body;
};

TEST_F(MathematicalTest, InputsAreWithinTheirTypes) {
  const auto x = body->parameter("x", other);
  const auto y = body->local("y", type);
  body->add(ir::Havoc{y, ir::HavocReason::Input, "?"});
  body->assign(y, pool.add(program[x].term, program[y].term));
  body->leave({program[y].term});
  body->finish();
  const Mathematical both(program, entry);
  const ir::Cfa& found = both.program()[entry].body;
  ASSERT_EQ(found.edges().size(), 5U);
  const auto accepts = [&](std::size_t edge, ir::VariableId v,
                           const Integer& number) {
    const auto& test = std::get<ir::Assume>(found.edges()[edge].statement);
    const Term variable = both.program()[v].term;
    return term::evaluate(test.condition,
                          {{variable, {variable.sort(), number, {}}}})
               .number == 1;
  };
  const Integer half = Integer(1) << 31;
  EXPECT_TRUE(accepts(0, x, 0));
  EXPECT_TRUE(accepts(0, x, 2 * half - 1));
  EXPECT_FALSE(accepts(0, x, -1));
  EXPECT_FALSE(accepts(0, x, 2 * half));
  EXPECT_TRUE(accepts(2, y, -half));
  EXPECT_TRUE(accepts(2, y, half - 1));
  EXPECT_FALSE(accepts(2, y, -half - 1));
  EXPECT_FALSE(accepts(2, y, half));
  // Only what is in the machine's program has an edge there.
  const ir::EdgeId expected[] = {
      {}, ir::EdgeId(0), {}, ir::EdgeId(1), ir::EdgeId(2)};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(both.machine_edge(ir::EdgeId::at(i)), expected[i]) << i;
  }
}

TEST_F(MathematicalTest, OperationsOnBitsAreChosenBeforeTheBranch) {
  const auto x = body->parameter("x", type);
  const auto y = body->parameter("y", type);
  const Term bits = pool.bit_and(program[x].term, program[y].term);
  const auto otherwise = body->branch(pool.equal(bits, pool.bits(0, 32)));
  body->leave();
  body->here = otherwise;
  body->leave();
  body->finish();
  const Mathematical both(program, entry);
  const ir::Program& found = both.program();
  ASSERT_EQ(found.variables.size(), program.variables.size() + 1);
  const ir::Variable& any = found.variables.back();
  EXPECT_EQ(any.display, "x & y");
  std::size_t havocs = 0;
  std::size_t tests = 0;
  for (const ir::Edge& edge : found[entry].body.edges()) {
    havocs += std::holds_alternative<ir::Havoc>(edge.statement) ? 1 : 0;
    const auto* const test = std::get_if<ir::Assume>(&edge.statement);
    if (test == nullptr) continue;
    const Term zero = found.pool->equal(any.term, found.pool->integer(0));
    tests +=
        test->condition == zero || test->condition == found.pool->negation(zero)
            ? 1
            : 0;
  }
  EXPECT_EQ(havocs, 1U);
  EXPECT_EQ(tests, 2U);
  ASSERT_EQ(found.assumptions.size(), 2U);
  EXPECT_EQ(found.assumptions[0].subject, "operations on bits");
  EXPECT_EQ(found.assumptions[1].subject, "integers");
}

// Integers see at once that ~x is -1 - x.
TEST_F(MathematicalTest, FindsTheWayThroughWhatIntegersDoNotTest) {
  const auto x = body->parameter("x", type);
  const Term one = pool.unary(Kind::BitNot, program[x].term);
  const Term same = pool.subtract(pool.bits(-Bits{1}, 32), program[x].term);
  const auto otherwise = body->branch(pool.equal(one, same));
  body->assign(x, pool.bits(1, 32));
  body->leave();
  body->here = otherwise;
  body->leave();
  body->finish();
  const Mathematical both(program, entry);
  const ir::Cfa& machine = both.machine()[entry].body;
  ASSERT_EQ(machine.out_edges(machine.entry()).size(), 2U);
  const ir::EdgeId passed = machine.out_edges(machine.entry())[0];
  for (const ir::Edge& edge : both.program()[entry].body.edges()) {
    const auto* const test = std::get_if<ir::Assume>(&edge.statement);
    EXPECT_TRUE(test == nullptr || edge.position.line == 0);
  }
  const ir::LocationId behind = machine.edge(passed).to;
  EXPECT_EQ(both.silent_way(machine.entry(), behind),
            std::vector<ir::EdgeId>{passed});
  EXPECT_EQ(both.silent_way(machine.entry(), machine.exit()), std::nullopt);
}

}  // namespace
}  // namespace agon::analysis
