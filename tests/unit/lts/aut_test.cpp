// SPDX-License-Identifier: Apache-2.0
#include "lts/aut.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "helpers/random_lts.h"

namespace agon::lts {
namespace {

Lts read(const std::string& text) {
  support::Context context;
  return read_aut(support::Source::from_string("f.aut", text),
                  std::make_shared<LabelTable>(), context);
}

using Row = std::tuple<std::uint32_t, std::string, std::uint32_t>;

std::vector<Row> rows(const Lts& lts) {
  std::vector<Row> result;
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    for (const Transition& t : lts.out(State::at(i))) {
      result.emplace_back(i, lts.labels()->name(t.label), t.target.value());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// `LINE:COLUMN: message` of the error that a text provokes.
std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const support::InputError& error) {
    return std::to_string(error.location().line) + ":" +
           std::to_string(error.location().column) + ": " + error.message();
  }
  return "no error";
}

TEST(Aut, ReadsTheThreeDialects) {
  const Lts cadp = read("des (0, 2, 2)\n(0, i, 1)\n(1, \"GET !1\", 0)\n");
  EXPECT_EQ(rows(cadp), (std::vector<Row>{{0, "tau", 1}, {1, "GET !1", 0}}));
  const Lts mcrl2 = read("des (0,2,2)\r\n(0,\"tau\",1)\r\n(1,get(1,2),0)\r\n");
  EXPECT_EQ(rows(mcrl2), (std::vector<Row>{{0, "tau", 1}, {1, "get(1,2)", 0}}));
  const Lts ltsa = read("des(0,2,2)\n(0,a.1,1)\n(1,b,-1)\n");
  EXPECT_EQ(ltsa.num_states(), 3U);
  EXPECT_EQ(ltsa.kind(State(2)), StateKind::Error);
  EXPECT_EQ(info(ltsa).states, 2U);
}

TEST(Aut, KeepsAQuotedIVisible) {
  const Lts lts = read("des (0,2,1)\n(0,\"i\",0)\n(0,i,0)\n");
  EXPECT_EQ(info(lts).silent, 1U);
  EXPECT_EQ(info(lts).labels, 1U);
}

TEST(Aut, KeepsRepeatedTransitionsAndUnreachableStates) {
  const Lts lts = read("des (0,2,3)\n(0,a,0)\n(0,a,0)\n");
  EXPECT_EQ(lts.num_transitions(), 2U);
  EXPECT_EQ(lts.num_states(), 3U);
}

TEST(Aut, SaysWhereTheMistakeIs) {
  EXPECT_EQ(error_of(""),
            "1:1: an .aut file starts with a header 'des (initial, "
            "transitions, states)'");
  EXPECT_EQ(error_of("des (0,1,2)\n(0,a,2)"),
            "2:6: state 2 is out of range: the header promises 2 states, 0 to "
            "1");
  EXPECT_EQ(error_of("des (2,0,2)\n"),
            "1:6: the initial state 2 is out of range: there are 2 states");
  EXPECT_EQ(error_of("des (0,1,1)\n(0,a,0)\n(0,b,0)\n"),
            "3:1: the header on line 1 promises 1 transitions, but here is "
            "another one");
  EXPECT_EQ(error_of("des (0,3,1)\n(0,abc,0)\n(0,\"abc\",0)\n"),
            "1:8: the header promises 3 transitions, but the file ends after "
            "2; is it truncated?");
  EXPECT_EQ(error_of("des (0,1,1)\n(0,\"a,0)\n"),
            "2:4: this label's quote is never closed on its line");
  EXPECT_EQ(error_of("des (0,1,1)\n(0,a\"b,0)\n"),
            "2:5: a quote inside a label that does not start with one; write "
            "the whole label in quotes");
  EXPECT_EQ(error_of("des (0,1,1)\n(0,\"a\"b\",0)\n"),
            "2:7: expected ',' after the closing quote of a label; a label "
            "cannot contain quotes");
  EXPECT_EQ(error_of("des (0,1,1)\n(0,,0)\n"), "2:4: expected a label");
  EXPECT_EQ(error_of("des (0,0,0)\n"), "1:10: a system has at least one state");
  EXPECT_EQ(error_of("des (0,1,1)\n(-1,a,0)\n"),
            "2:2: expected a state number");
}

TEST(Aut, DoesNotBelieveAHeaderThatPromisesTheMoon) {
  EXPECT_NE(error_of("des (0,1,4000000000)\n(0,a,1)\n").find("cannot be"),
            std::string::npos);
  EXPECT_NE(error_of("des (0,4000000000,2)\n(0,a,1)\n").find("too short"),
            std::string::npos);
  EXPECT_NE(
      error_of("des (0,99999999999999999999,2)\n").find("number is too large"),
      std::string::npos);
}

// Every prefix of a good file is bad, except those that cut off only blanks.
TEST(Aut, NoticesEveryTruncation) {
  const std::string text = "des (0,2,2)\n(0,\"a\",1)\n(1,b(c,d),0)";
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(error_of(text.substr(0, size)), "no error") << size;
  }
  EXPECT_EQ(error_of(text), "no error");
}

TEST(Aut, RespectsTheLimitOnStates) {
  support::Context context(support::Limits{.max_states = 2});
  EXPECT_THROW(read_aut(support::Source::from_string("f", "des (0,0,3)\n"),
                        std::make_shared<LabelTable>(), context),
               support::InputError);
}

TEST(Aut, WritesWhatItReads) {
  test::Random random(1);
  for (std::size_t i = 0; i < test::scaled(2000); ++i) {
    const Lts lts = test::random_lts(random, std::make_shared<LabelTable>());
    const Lts again = read(write_aut(lts));
    ASSERT_EQ(rows(again), rows(lts));
    ASSERT_EQ(again.num_states(), lts.num_states());
    ASSERT_EQ(again.initial(), lts.initial());
  }
}

TEST(Aut, WritesErrorAsMinusOneAndClosesRanks) {
  LtsBuilder builder(std::make_shared<LabelTable>());
  builder.set_initial(builder.add_state());
  const State error = builder.add_state(StateKind::Error);
  const State last = builder.add_state();
  const Label a = builder.labels()->intern("a,b");
  builder.add_transition(State(0), a, error);
  builder.add_transition(State(0), kTau, last);
  const std::string text = write_aut(std::move(builder).build());
  EXPECT_EQ(text, "des (0,2,2)\n(0,tau,1)\n(0,\"a,b\",-1)\n");
  EXPECT_EQ(write_aut(read(text)), text);
}

}  // namespace
}  // namespace agon::lts
