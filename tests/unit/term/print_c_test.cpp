// SPDX-License-Identifier: Apache-2.0
#include "term/print_c.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "random_term.h"
#include "term/substitute.h"

namespace agon::term {
namespace {

using test::Random;
using test::RandomTerms;

class PrintC : public testing::Test {
 protected:
  Term bits(Bits value, unsigned width = 32) { return pool.bits(value, width); }
  Term less(Term s, Term t) { return pool.signed_less(s, t); }

  Pool pool;
  const Term b = pool.variable("b", Sort::boolean());
  const Term x = pool.variable("x", Sort::bits(32));
  const Term y = pool.variable("y", Sort::bits(32));
  const Term c = pool.variable("c", Sort::bits(8));
  const Term n = pool.variable("n", Sort::bits(64));
  const Term i = pool.variable("i", Sort::integer());
  const Term m = pool.variable("memory", Sort::array(64, 8));
};

TEST_F(PrintC, Comparisons) {
  EXPECT_EQ(to_c(less(x, bits(10))), "x < 10");
  EXPECT_EQ(to_c(less(bits(10), x)), "x > 10");
  EXPECT_EQ(to_c(pool.binary(Kind::SLessEqual, bits(-Bits{3}), x)), "x >= -3");
  EXPECT_EQ(to_c(pool.unsigned_less(x, bits(10))), "(unsigned)x < 10");
  EXPECT_EQ(to_c(pool.unsigned_less(x, y)), "(unsigned)x < y");
  EXPECT_EQ(to_c(pool.unsigned_less(c, bits(10, 8))), "(unsigned char)c < 10");
  EXPECT_EQ(to_c(pool.equal(x, bits(0xFFFFFFFF))), "x == -1");
  EXPECT_EQ(to_c(pool.negation(pool.equal(x, y))), "x != y");
  EXPECT_EQ(to_c(pool.equal(c, bits(0xFF, 8))), "c == -1");
  EXPECT_EQ(to_c(pool.equal(pool.bit_and(c, bits(1, 8)), bits(0, 8))),
            "(c & 1) == 0");
  EXPECT_EQ(to_c(pool.equal(pool.sign_extend(x, 64), n)), "n == x");
  EXPECT_EQ(to_c(less(pool.zero_extend(x, 64), n)), "(unsigned)x < n");
}

TEST_F(PrintC, UnsignedVariables) {
  const CStyle style{nullptr, [](Term) { return true; }};
  EXPECT_EQ(to_c(pool.unsigned_less(x, bits(10)), style), "x < 10");
  EXPECT_EQ(to_c(less(x, bits(10)), style), "(int)x < 10");
  EXPECT_EQ(to_c(pool.equal(x, bits(0xFFFFFFFF)), style), "x == 4294967295u");
  EXPECT_EQ(to_c(pool.equal(c, bits(0xFF, 8)), style), "c == 255");
}

TEST_F(PrintC, Arithmetic) {
  EXPECT_EQ(to_c(pool.subtract(x, bits(1))), "x - 1");
  EXPECT_EQ(to_c(pool.add(pool.multiply(x, y), bits(3))), "x * y + 3");
  EXPECT_EQ(to_c(pool.multiply(pool.add(x, y), bits(3))), "(x + y) * 3");
  EXPECT_EQ(to_c(pool.subtract(x, pool.subtract(y, x))), "x - (y - x)");
  EXPECT_EQ(to_c(pool.bit_and(x, bits(0xFF0))), "x & 0xff0");
  EXPECT_EQ(to_c(pool.equal(pool.add(c, c), bits(0, 8))), "(char)(c + c) == 0");
  const Term wide = pool.sign_extend(x, 64);
  EXPECT_EQ(to_c(pool.add(wide, pool.sign_extend(y, 64))), "(long)x + y");
  EXPECT_EQ(to_c(pool.add(pool.zero_extend(x, 64), bits(1, 64))),
            "(unsigned long)(unsigned)x + 1");
  EXPECT_EQ(to_c(pool.binary(Kind::UDivide, x, bits(3))), "(unsigned)x / 3");
  EXPECT_EQ(to_c(pool.subtract(pool.add(i, i), pool.integer(100))),
            "i + i - 100");
  EXPECT_EQ(to_c(pool.binary(Kind::SDivide, i, pool.integer(2))), "i / 2");
}

TEST_F(PrintC, Conditions) {
  const Term small = less(x, bits(10));
  EXPECT_EQ(to_c(pool.conjunction({b, pool.disjunction({small, b})})),
            "b && (b || x < 10)");
  EXPECT_EQ(to_c(pool.negation(pool.conjunction({b, small}))),
            "!(b && x < 10)");
  EXPECT_EQ(to_c(pool.ite(small, x, y)), "x < 10 ? x : y");
  EXPECT_EQ(to_c(pool.ite(small, bits(1), bits(0))), "x < 10");
  EXPECT_EQ(to_c(pool.ite(b, bits(0), bits(1))), "!b");
  EXPECT_EQ(to_c(pool.add(pool.ite(b, bits(1), bits(0)), x)), "x + b");
  EXPECT_EQ(to_c(pool.equal(b, small)), "b == (x < 10)");
}

TEST_F(PrintC, Memory) {
  const Term p = pool.variable("p", Sort::bits(64));
  const Term field = pool.read(m, pool.add(p, bits(8, 64)), 4);
  EXPECT_EQ(to_c(pool.equal(field, bits(0))), "*(int *)(p + 8) == 0");
  EXPECT_EQ(to_c(pool.read(m, p, 8)), "*(long *)p");
  EXPECT_EQ(to_c(pool.read(pool.variable("a", Sort::array(0, 0)), i)), "a[i]");
  EXPECT_EQ(to_c(pool.equal(p, pool.address("g", 64))), "p == &g");
  const Term inside = pool.add(pool.address("g", 64), bits(4, 64));
  EXPECT_EQ(to_c(pool.equal(p, inside)), "p == (char *)&g + 4");
  CStyle style;
  style.describe = [](Term t) {
    return std::string(t.kind() == Kind::Read ? "p->next" : "");
  };
  EXPECT_EQ(to_c(less(field, x), style), "p->next < x");
}

TEST_F(PrintC, CutsHugeTermsShort) {
  Term deep = x;
  for (int k = 0; k < 100'000; ++k) {
    deep = pool.binary(Kind::UDivide, deep, pool.bit_and(deep, y));
  }
  const std::string text = to_c(deep);
  EXPECT_LT(text.size(), 100'000U);
  EXPECT_NE(text.find("..."), text.npos);
}

/// Which variables count as unsigned.
using Signs = std::function<bool(Term)>;

/// Prints terms as C, lets the compiler compute them, and compares.
class Program {
 public:
  /// False if the term needs an operator that C does not have.
  bool add(Term term, const Assignment& assignment, const Signs& is_unsigned) {
    const std::string text = to_c(term, {nullptr, is_unsigned});
    if (text.size() > 1000 || text.find("sign_extend(") != text.npos) {
      return false;
    }
    std::string body = "{ ";
    for (const Term variable : variables_of(term)) {
      body += type_of(variable, is_unsigned) + " " + variable.name() + " = " +
              assignment.at(variable).number.str() + "u; ";
    }
    const unsigned width = term.sort().is_bool() ? 8 : term.width();
    body += "uint" + std::to_string(width) + "_t is = " + text + "; ";
    const std::string expected = evaluate(term, assignment).number.str();
    body += "if (is != (uint64_t)" + expected + "u) { printf(\"%s: %llu not " +
            expected + "\\n\", \"" + text +
            "\", (unsigned long long)is); } }\n";
    functions_ += "void f" + std::to_string(count_++) + "() " + body;
    return true;
  }

  /// What the program complains about.
  std::string run() const {
    const std::string stem =
        testing::TempDir() + "agon_print_c_" + std::to_string(getpid());
    std::ofstream file(stem + ".c");
    file << "#include <stdint.h>\n#include <stdio.h>\n" << functions_;
    file << "int main() {\n";
    for (std::size_t k = 0; k < count_; ++k) file << "f" << k << "();";
    file << "puts(\"done\"); }\n";
    file.close();
    const std::string command = "gcc -O0 -fwrapv -w " + stem + ".c -o " + stem +
                                ".out 2>&1 && " + stem + ".out";
    std::string output;
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return "no shell";
    char line[4096];
    while (std::fgets(line, sizeof line, pipe) != nullptr) output += line;
    pclose(pipe);
    std::remove((stem + ".c").c_str());
    std::remove((stem + ".out").c_str());
    return output;
  }

 private:
  static std::string type_of(Term variable, const Signs& is_unsigned) {
    if (variable.sort().is_bool()) return "_Bool";
    return (is_unsigned(variable) ? "uint" : "int") +
           std::to_string(variable.width()) + "_t";
  }

  std::string functions_;
  std::size_t count_ = 0;
};

/// Whether C defines the value: no division by zero or of the least number by
/// -1, no shift by the width or more, all types named; and not too large.
bool is_defined(Term root, const Assignment& assignment) {
  bool defined = true;
  std::size_t nodes = 0;
  visit_subterms(root, [&](Term t) {
    ++nodes;
    switch (t.kind()) {
      case Kind::Variable:
        defined &= t.sort().is_bool() || std::has_single_bit(t.width());
        break;
      case Kind::UDivide:
      case Kind::URemainder:
      case Kind::SDivide:
      case Kind::SRemainder: {
        const Integer divisor = evaluate(t.operand(1), assignment).number;
        defined &= divisor != 0 && divisor != Integer(mask(t.width()));
        break;
      }
      case Kind::ShiftLeft:
      case Kind::ShiftRight:
      case Kind::ShiftRightSigned:
        defined &= evaluate(t.operand(1), assignment).number < t.width();
        break;
      default:
        break;
    }
  });
  return defined && nodes < 60;
}

TEST_F(PrintC, CompilersAgreeOnTheValues) {
  Program program;
  std::size_t defined = 0;
  for (unsigned seed = 0; seed < test::scaled(400); ++seed) {
    Random random(seed);
    Pool own;
    test::TermShape shape{{8, 16, 32, 64}, false, false, false, false};
    shape.partial = seed % 2 == 0;
    shape.like_c = seed % 3 != 0;
    RandomTerms terms(own, random, shape);
    for (unsigned k = 0; k < 6; ++k) {
      const Term term = terms.make(terms.scalar_sort(), 2 + k / 3).term;
      const Assignment assignment = terms.assignment();
      const Signs is_unsigned = [seed](Term variable) {
        return seed % 4 > static_cast<unsigned>(variable.name().back() - '0');
      };
      if (is_defined(term, assignment) &&
          program.add(term, assignment, is_unsigned)) {
        ++defined;
      }
    }
  }
  EXPECT_GT(defined, test::scaled(1000));
  EXPECT_EQ(program.run(), "done\n");
}

}  // namespace
}  // namespace agon::term
