// SPDX-License-Identifier: Apache-2.0
#include "algol/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "algol/tree.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::algol {
namespace {

using support::InputError;
using support::Source;

Judgement read(const std::string& text, const Constants& constants = {}) {
  return read_judgement(Source::from_string("t.ia", text), constants);
}

std::string type_of(const std::string& text, const Constants& constants = {}) {
  return to_string(read(text, constants).term->type);
}

/// The message for a bad term, with `column:` in front.
std::string error_of(const std::string& text, const Constants& constants = {}) {
  const Source source = Source::from_string("t.ia", text);
  try {
    build_tree(read_judgement(source, constants), source);
  } catch (const InputError& error) {
    EXPECT_NE(error.location().line, 0U) << "has no caret";
    return std::to_string(error.location().column) + ": " + error.message();
  }
  return "no error";
}

TEST(Parser, TypesOfTerms) {
  EXPECT_EQ(type_of("|- skip"), "com");
  EXPECT_EQ(type_of("x : nat%4 |- x"), "var nat%4");
  EXPECT_EQ(type_of("x : exp nat%4 |- x + 1"), "exp number");
  EXPECT_EQ(type_of("x : int |- x < 3 & !(x = 2)"), "exp bool");
  EXPECT_EQ(type_of("b : bool |- if b then 1 else 2 fi"), "exp number");
  EXPECT_EQ(type_of("f : com -> exp bool -> com |- f(skip)"),
            "exp bool -> com");
  EXPECT_EQ(type_of("|- \\x:com. \\y:nat%2. x; y"),
            "com -> var nat%2 -> var nat%2");
  EXPECT_EQ(type_of("a : nat%5[3] |- a[1]"), "var nat%5");
  EXPECT_EQ(type_of("|- new nat%2 x in x"), "exp number");
  EXPECT_EQ(type_of("|- let f be \\x:com. x in f(f(skip))"), "com");
}

TEST(Parser, Spellings) {
  EXPECT_EQ(type_of("f : com → com ⊢ (λx:com. f(x))(skip)"), "com");
  EXPECT_EQ(type_of("x : nat%2 // a comment that ends |-\nx := 1"), "com");
  EXPECT_EQ(type_of("x:int, y:int |- x == y || x <> y && not x != y"),
            "exp bool");
}

TEST(Parser, OperatorsBindAsUsual) {
  const Judgement judgement = read("|- 1 + 2 * 3 < 4 & true | false");
  const Term& either = *judgement.term;
  EXPECT_EQ(either.op, Operator::Or);
  const Term& both = *either.children[0];
  EXPECT_EQ(both.op, Operator::And);
  const Term& less = *both.children[0];
  EXPECT_EQ(less.op, Operator::Less);
  EXPECT_EQ(less.children[0]->op, Operator::Add);
  EXPECT_EQ(less.children[0]->children[1]->op, Operator::Multiply);
  EXPECT_EQ(less.children[0]->type.result.data.range, Interval::single(7));
  EXPECT_EQ(read("|- 5 - 2 - 1").term->type.result.data.range,
            Interval::single(2));
}

TEST(Parser, SizesCanBeGivenFromOutside) {
  const Constants constants{{"size", 6}};
  EXPECT_EQ(type_of("x : nat%(2*size+1) |- x", constants), "var nat%13");
  EXPECT_EQ(type_of("x : nat%size |- x := size", constants), "com");
  EXPECT_EQ(error_of("x : nat%size |- x"),
            "9: 'size' is not known; give it a value with -D size=N");
  EXPECT_EQ(error_of("|- new int x in x < size"),
            "21: 'size' is not declared, and no number of that name was given "
            "with -D size=N");
}

TEST(Parser, IllTypedTerms) {
  EXPECT_EQ(error_of("|- 1; skip"),
            "4: this is of type exp number, but com is needed here");
  EXPECT_EQ(error_of("c : com |- c + 1"),
            "12: this is of type com, but exp number is needed here");
  EXPECT_EQ(error_of("b : bool |- b < 1"),
            "13: this is of type var bool, but exp number is needed here");
  EXPECT_EQ(error_of("|- if 1 then skip fi"),
            "7: this is of type exp number, but exp bool is needed here");
  EXPECT_EQ(error_of("e : exp int |- e := 1"),
            "16: this is of type exp number, and only a variable can be "
            "assigned to");
}

TEST(Parser, MoreIllTypedTerms) {
  EXPECT_EQ(error_of("b : bool |- if b then skip else 1 fi"),
            "13: one branch is of type com, the other of type exp number");
  EXPECT_EQ(error_of("f : com -> com |- f; f(skip)"),
            "19: this function of type com -> com has to be applied here");
  EXPECT_EQ(error_of("f : com -> com |- f(1)"),
            "21: this is of type exp number, but com is needed here");
  EXPECT_EQ(error_of("f : com -> com |- f(skip, skip)"),
            "20: 2 arguments for a function of 1");
  EXPECT_EQ(error_of("c : com |- c(skip)"),
            "13: this is of type com, and takes no arguments");
  EXPECT_EQ(error_of("f : nat%3 -> com, x : nat%4 |- f(x)"),
            "34: this is of type var nat%4, but var nat%3 is needed here");
  EXPECT_EQ(error_of("a : int[3] |- a"),
            "15: an array is no term of its own; it needs an index");
  EXPECT_EQ(error_of("x : int |- x[1]"),
            "12: 'x' is of type var int, and only an array has elements");
  EXPECT_EQ(error_of("x : int |- (new int y in y) := 1"),
            "13: this is of type exp number, and only a variable can be "
            "assigned to");
}

TEST(Parser, UnboundIdentifiers) {
  EXPECT_EQ(error_of("count : int |- coun := 1"),
            "16: 'coun' is not declared; did you mean 'count'?");
  EXPECT_THAT(error_of("|- (new int x in skip); x := 1"),
              ::testing::StartsWith("25: 'x' is not declared"));
  EXPECT_THAT(error_of("|- let f be f in skip"),
              ::testing::StartsWith("13: 'f' is not declared"));
  EXPECT_EQ(error_of("x : com, x : com |- x"), "10: 'x' is declared twice");
}

TEST(Parser, IndicesThatAreCertainlyOutside) {
  EXPECT_EQ(error_of("a : int[5] |- a[5] := 1"),
            "17: the index is 5, and 'a' has only 5 elements");
  EXPECT_EQ(error_of("i : nat%3 |- new int[2] a in a[i+2]"),
            "33: the index is from 2 to 4, and 'a' has only 2 elements");
  EXPECT_EQ(error_of("|- new int[1] a in a[0-1]"),
            "23: the index is -1, and 'a' has only 1 element");
  EXPECT_EQ(error_of("i : nat%3 |- new int[2] a in a[i+1]"), "no error");
}

TEST(Parser, SizesThatMakeNoSense) {
  for (const std::int64_t size :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1'000'000'000'000}}) {
    const Constants constants{{"n", size}};
    EXPECT_EQ(error_of("x : nat%n |- x", constants),
              "9: the size of nat is " + std::to_string(size) +
                  ", and has to be from 1 to 4294967296");
    EXPECT_EQ(error_of("|- new int[n] a in a[0]", constants),
              "12: the size of an array is " + std::to_string(size) +
                  ", and has to be from 1 to 4294967296");
  }
  EXPECT_EQ(error_of("x : nat%(1/0) |- x"), "11: division by zero");
  EXPECT_EQ(error_of("x : nat%(9000000000000000000*9) |- x"),
            "29: this size is too large");
  EXPECT_EQ(error_of("|- 99999999999999999999"), "4: this number is too large");
  EXPECT_EQ(error_of("x : nat%4294967296[4294967296] |- x[0] := 1"),
            "no error");
}

TEST(Parser, Garbage) {
  EXPECT_EQ(error_of(""), "1: expected a free identifier, but the file ends");
  EXPECT_EQ(error_of("skip"),
            "1: expected a free identifier, but found 'skip'");
  EXPECT_EQ(error_of("x : int"),
            "8: expected '|-' between the free identifiers and the term, but "
            "the file ends");
  EXPECT_EQ(error_of("|- skip )"),
            "9: expected the end of the term, but found ')'");
  EXPECT_EQ(error_of("|- while true do skip"),
            "22: expected 'od' at the end of 'while', but the file ends");
  EXPECT_EQ(error_of("|- 1 ? 2"), "6: '?' has no meaning here");
  EXPECT_EQ(error_of("|- 2x"), "5: a number ends where a letter follows");
  EXPECT_EQ(error_of("|- new in x"), "8: expected a type, but found 'in'");
}

TEST(Parser, DepthIsLimited) {
  const std::string open(5000, '(');
  EXPECT_THAT(error_of("|- " + open), ::testing::HasSubstr("nested more than"));
  std::string sum = "|- 1";
  for (int i = 0; i < 5000; ++i) sum += "+1";
  EXPECT_THAT(error_of(sum), ::testing::HasSubstr("too long"));
  std::string sequence = "|- skip";
  for (int i = 0; i < 50000; ++i) sequence += ";skip";
  EXPECT_EQ(error_of(sequence), "no error");
}

/// f39(skip), where each function uses the one before it twice.
std::string functions(const std::string& body_before, const std::string& join,
                      const std::string& body_after) {
  std::string text = "|- let f0 be \\x:com. x; x in ";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "let f" + std::to_string(i) + " be \\x:com. " + before +
            body_before + join + before + body_after + " in ";
  }
  return text + "f39(skip)";
}

TEST(Parser, FunctionsThatExplodeAreRefused) {
  EXPECT_THAT(error_of(functions("(x)", "; ", "(x)")),
              ::testing::HasSubstr("more than 262144 parts"));
  EXPECT_THAT(error_of(functions("", "(", "(x))")),
              ::testing::HasSubstr("nested more than 1000 deep"));
}

}  // namespace
}  // namespace agon::algol
