// SPDX-License-Identifier: Apache-2.0
#include "term/smtlib.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "random_term.h"
#include "support/error.h"

namespace agon::term {
namespace {

using support::InputError;
using support::Source;
using test::Random;
using test::RandomTerms;

Term parse(Pool& pool, const std::string& text) {
  const Source source = Source::from_string("test", text);
  std::size_t offset = 0;
  const Term term = parse_term(pool, source, offset);
  EXPECT_EQ(offset, text.size());
  return term;
}

std::string error_of(Pool& pool, const std::string& text) {
  try {
    parse(pool, text);
  } catch (const InputError& error) {
    return std::to_string(error.location().column) + ": " + error.message();
  }
  return "no error";
}

TEST(Smtlib, ReadsBackTheVerySameTerms) {
  for (unsigned seed = 0; seed < test::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Pool pool;
    RandomTerms terms(pool, random, {});
    for (unsigned i = 0; i < 8; ++i) {
      const Sort sort = i == 7 ? Sort::array(8, 8) : terms.scalar_sort();
      const Term term = terms.make(sort, 2 + i / 2).term;
      ASSERT_EQ(parse(pool, to_text(term)), term) << to_text(term);
    }
  }
}

std::string literal(const Value& value) {
  Pool pool;
  const Sort sort = value.sort;
  const auto scalar = [&](Sort of, const Integer& number) {
    if (of.is_bool()) return to_smtlib(pool.boolean(number != 0));
    return to_smtlib(of.is_int()
                         ? pool.integer(number)
                         : pool.bits(static_cast<Bits>(number), of.width));
  };
  if (!sort.is_array()) return scalar(sort, value.number);
  std::string text = "((as const " + to_smtlib(sort) + ") " +
                     scalar(sort.element(), value.number) + ")";
  for (const auto& [index, element] : value.elements) {
    text = "(store " + text + " " + scalar(sort.index(), index) + " " +
           scalar(sort.element(), element) + ")";
  }
  return text;
}

/// How often z3 answers "unsat", which must be all it says.
std::size_t count_unsat(const std::string& script) {
  const std::string path =
      testing::TempDir() + "agon_smtlib_" + std::to_string(getpid()) + ".smt2";
  std::ofstream(path) << script;
  std::FILE* const pipe = popen(("z3 -smt2 " + path + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return 0;
  std::size_t count = 0;
  char line[256];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    EXPECT_STREQ(line, "unsat\n") << "after " << count << " answers";
    ++count;
  }
  EXPECT_EQ(pclose(pipe), 0) << "z3 is missing or failed";
  std::remove(path.c_str());
  return count;
}

TEST(Smtlib, Z3AgreesOnTheValues) {
  std::string script;
  std::size_t queries = 0;
  for (unsigned seed = 0; seed < test::scaled(150); ++seed) {
    Random random(seed);
    Pool pool;
    test::TermShape shape;
    shape.copies = false;
    RandomTerms terms(pool, random, shape);
    for (unsigned i = 0; i < 8; ++i) {
      const Term term = terms.make(terms.scalar_sort(), 2 + i / 3).term;
      const Assignment assignment = terms.assignment();
      script += "(push)\n" + declarations(term);
      for (const auto& [variable, value] : assignment) {
        if (declarations(term).find(declarations(variable)) !=
            std::string::npos) {
          script += "(assert (= " + to_smtlib(variable) + " " + literal(value) +
                    "))\n";
        }
      }
      script += "(assert (not (= " + to_smtlib(term) + " " +
                literal(evaluate(term, assignment)) + ")))\n(check-sat)\n";
      script += "(pop)\n";
      ++queries;
    }
  }
  EXPECT_EQ(count_unsat(script), queries);
}

TEST(Smtlib, IsLinearInSharedAndDeepTerms) {
  Pool pool;
  const Term x = pool.variable("x", Sort::bits(32));
  const Term y = pool.variable("?0", Sort::bits(32));
  Term shared = x;
  Term deep = x;
  for (int i = 0; i < 50'000; ++i) {
    shared = pool.binary(Kind::UDivide, shared, pool.bit_and(shared, y));
    deep = pool.binary(Kind::UDivide, deep, y);
  }
  for (const Term term : {shared, deep}) {
    const std::string text = to_text(term);
    EXPECT_LT(text.size(), 6'000'000U);
    EXPECT_EQ(parse(pool, text), term);
  }
}

TEST(Smtlib, PrintsPlainly) {
  Pool pool;
  const Term x = pool.variable("x y", Sort::bits(8));
  const Term m = pool.variable("m", Sort::array(8, 8));
  const Term i = pool.variable("i", Sort::integer());
  EXPECT_EQ(to_smtlib(pool.add(x, pool.bits(10, 8))), "(bvadd |x y| #x0a)");
  EXPECT_EQ(to_smtlib(pool.integer(-3)), "(- 3)");
  EXPECT_EQ(to_smtlib(pool.read(m, x, 2)),
            "(concat (select m (bvadd |x y| #x01)) (select m |x y|))");
  EXPECT_EQ(to_text(pool.read(m, x, 2)), "(agon.read 2 m |x y|)");
  EXPECT_EQ(to_text(pool.address("g", 64)), "(agon.address g 64)");
  EXPECT_EQ(to_text(pool.address("h", 0)), "(agon.address h 0)");
  EXPECT_EQ(to_smtlib(Sort::array(0, 8)), "(Array Int (_ BitVec 8))");
  EXPECT_EQ(declarations(pool.equal(pool.read(m, x), pool.bits(3, 8))),
            "(declare-const |x y| (_ BitVec 8))\n"
            "(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))\n");
  EXPECT_EQ(to_text(pool.binary(Kind::SDivide, i, pool.integer(2))),
            "(agon.div i 2)");
  EXPECT_FALSE(has_copy(pool.read(m, x)));
  EXPECT_TRUE(has_copy(pool.read(pool.copy(m, x, x, m, pool.bits(0, 8)), x)));
  EXPECT_EQ(quote_symbol("bvadd"), "|bvadd|");
  EXPECT_EQ(quote_symbol("main.x_1"), "main.x_1");
}

TEST(Smtlib, ReadsOtherNotations) {
  Pool pool;
  const Term x = pool.variable("x", Sort::bits(8));
  const Term i = pool.variable("i", Sort::integer());
  EXPECT_EQ(parse(pool, "(_ bv010 8)"), pool.bits(10, 8));
  EXPECT_EQ(parse(pool, "#b00001010"), pool.bits(10, 8));
  EXPECT_EQ(parse(pool, "(bvadd x x x)"), pool.add(pool.add(x, x), x));
  EXPECT_EQ(parse(pool, "(bvsgt x #x00)"),
            pool.signed_less(pool.bits(0, 8), x));
  EXPECT_EQ(parse(pool, "(let ((x #x01) (y x)) (let ((y (bvadd x y))) y))"),
            pool.add(x, pool.bits(1, 8)));
  EXPECT_EQ(parse(pool, "; comment\n(> i (- 1 2 3))"),
            pool.signed_less(pool.integer(-4), i));
  EXPECT_EQ(parse(pool, "(=> true (distinct x #x01))"),
            pool.negation(pool.equal(x, pool.bits(1, 8))));
  EXPECT_EQ(parse(pool, "(div (- 7) 2)"), pool.integer(-4));
  EXPECT_EQ(parse(pool, "(mod (- 7) (- 2))"), pool.integer(1));
  EXPECT_EQ(parse(pool, "(div (- 7) (- 2))"), pool.integer(4));
  const Source sort =
      Source::from_string("test", " (Array (_ BitVec 64) Int) x");
  std::size_t offset = 0;
  EXPECT_EQ(parse_sort(sort, offset), Sort::array(64, 0));
  EXPECT_EQ(sort.text().substr(offset), " x");
}

TEST(Smtlib, ExplainsWhatIsWrong) {
  Pool pool;
  pool.variable("x", Sort::bits(8));
  pool.variable("m", Sort::array(8, 8));
  pool.address("g", 64);
  EXPECT_EQ(error_of(pool, "(bvadd x y)"), "10: there is no variable 'y'");
  EXPECT_EQ(error_of(pool, "(bvadd x #x0)"),
            "2: 'bvadd' needs operands of one width");
  EXPECT_EQ(error_of(pool, "(bvadd x x"), "11: the text ends here");
  EXPECT_EQ(error_of(pool, "(plus x x)"), "2: expected an operator");
  EXPECT_EQ(error_of(pool, "(not x)"), "2: 'not' needs Booleans");
  EXPECT_EQ(error_of(pool, "(not true true)"),
            "2: 'not' takes 1 operand, not 2");
  EXPECT_EQ(error_of(pool, "((_ extract 8 0) x)"),
            "2: 'extract' needs indices within the operand");
  EXPECT_EQ(error_of(pool, "((_ zero_extend 121) x)"),
            "2: 'zero_extend' needs a result of at most 128 bits");
  EXPECT_EQ(error_of(pool, "(concat x)"),
            "2: 'concat' needs two operands or more");
  EXPECT_EQ(error_of(pool, ")"), "1: expected a term");
  EXPECT_EQ(error_of(pool, "(let ((y x) y)"), "13: expected '(' or ')'");
  EXPECT_EQ(error_of(pool, "(let ((y)) y)"), "9: expected a term");
  EXPECT_EQ(error_of(pool, "(_ bv256 8)"), "4: this needs more bits");
  EXPECT_EQ(error_of(pool, "#xZZ"),
            "1: expected a constant such as #x0a or #b01");
  EXPECT_EQ(error_of(pool, "(agon.read 17 m x)"),
            "2: 'agon.read' needs elements of at most 128 bits together");
  EXPECT_EQ(error_of(pool, "(agon.address g 32)"),
            "15: 'g' is known as something else");
  EXPECT_EQ(error_of(pool, "|x"), "1: this quote is never closed");
  EXPECT_EQ(error_of(pool, "(= m m)"),
            "2: '=' needs operands that are not arrays");
}

}  // namespace
}  // namespace agon::term
