// SPDX-License-Identifier: Apache-2.0
// Games small enough to be played by hand.
#include "game/simulation.h"

#include <gtest/gtest.h>

#include "game/traces.h"
#include "lts/aut.h"

namespace agon::game {
namespace {

using lts::ExplicitSuccessors;
using lts::Lts;
using support::Verdict;

class ByHand : public testing::Test {
 protected:
  Lts read(const std::string& text) {
    return read_aut(support::Source::from_string("test.aut", text), labels_,
                    context_);
  }
  std::vector<std::string> names(const std::vector<lts::Label>& of) const {
    std::vector<std::string> result;
    for (const lts::Label label : of) result.push_back(labels_->name(label));
    return result;
  }
  SimulationResult play(const Lts& impl, const Lts& spec, Semantics semantics,
                        std::size_t strategies = 1) {
    ExplicitSuccessors i(impl);
    ExplicitSuccessors s(spec);
    return simulate(i, s, semantics, {.strategies = strategies}, context_);
  }
  TraceResult traces(const Lts& impl, const Lts& spec, Semantics semantics) {
    ExplicitSuccessors i(impl);
    ExplicitSuccessors s(spec);
    return include_traces(i, s, semantics, context_);
  }

  lts::SharedLabels labels_ = std::make_shared<lts::LabelTable>();
  support::Context context_;
};

using Names = std::vector<std::string>;

// a.(b + c) against a.b + a.c: the traces are the same, but the specification
// has to commit itself too early.
TEST_F(ByHand, TheChoiceComesTooEarly) {
  const Lts late = read("des (0,3,4)\n(0,a,1)(1,b,2)(1,c,3)");
  const Lts early = read("des (0,4,5)\n(0,a,1)(0,a,2)(1,b,3)(2,c,4)");

  EXPECT_EQ(traces(late, early, Semantics::Strong).verdict, Verdict::Holds);
  EXPECT_EQ(play(early, late, Semantics::Strong).verdict, Verdict::Holds);
  const SimulationResult result = play(late, early, Semantics::Strong);
  ASSERT_EQ(result.verdict, Verdict::Violated);

  // One challenge a, two responses, and each is answered by what it cannot do.
  const Strategy& strategy = result.strategies.at(0);
  ASSERT_EQ(strategy.nodes.size(), 3U);
  EXPECT_EQ(labels_->name(strategy.nodes[0].challenge.label), "a");
  ASSERT_EQ(strategy.nodes[0].children.size(), 2U);
  for (const std::uint32_t child : strategy.nodes[0].children) {
    const Strategy::Node& node = strategy.nodes[child];
    EXPECT_TRUE(node.children.empty());
    EXPECT_EQ(labels_->name(node.challenge.label),
              node.position.spec == lts::State(1) ? "c" : "b");
  }
}

TEST_F(ByHand, TheJudgeSeesThroughForgedStrategies) {
  const Lts late = read("des (0,3,4)\n(0,a,1)(1,b,2)(1,c,3)");
  const Lts early = read("des (0,4,5)\n(0,a,1)(0,a,2)(1,b,3)(2,c,4)");
  const Strategy honest = play(late, early, Semantics::Strong).strategies.at(0);
  const auto verdict = [&](const Strategy& strategy) {
    ExplicitSuccessors impl(late);
    ExplicitSuccessors spec(early);
    return refute(strategy, {late.initial(), early.initial()}, impl, spec,
                  Semantics::Strong);
  };
  EXPECT_EQ(verdict(honest), std::nullopt);

  Strategy forged = honest;
  forged.nodes[0].children.pop_back();  // Forgets a response.
  EXPECT_NE(verdict(forged), std::nullopt);
  forged = honest;
  forged.nodes[0].children.clear();  // Claims there is none.
  EXPECT_NE(verdict(forged), std::nullopt);
  forged = honest;
  std::swap(forged.nodes[1].challenge, forged.nodes[2].challenge);
  EXPECT_NE(verdict(forged), std::nullopt);
  forged = honest;
  forged.nodes[1].children.push_back(0);  // Runs in a circle.
  EXPECT_NE(verdict(forged), std::nullopt);
  forged = honest;
  forged.nodes[0].position.spec = lts::State(1);  // Starts elsewhere.
  EXPECT_NE(verdict(forged), std::nullopt);
  forged = honest;
  forged.nodes[1].challenge.target = lts::State(0);  // Invents a move.
  EXPECT_NE(verdict(forged), std::nullopt);
  EXPECT_NE(verdict(Strategy{}), std::nullopt);
}

TEST_F(ByHand, SeveralWaysToWinAreSeveralStrategies) {
  const Lts impl = read("des (0,4,5)\n(0,a,1)(0,b,2)(1,x,3)(2,y,4)");
  const Lts spec = read("des (0,2,3)\n(0,a,1)(0,b,2)");
  const SimulationResult result = play(impl, spec, Semantics::Strong, 5);
  ASSERT_EQ(result.strategies.size(), 2U);
  EXPECT_NE(result.strategies[0].nodes[0].challenge,
            result.strategies[1].nodes[0].challenge);
}

TEST_F(ByHand, TheWeakGameForgivesSilenceOnBothSides) {
  const Lts quiet = read("des (0,2,3)\n(0,a,1)(1,b,2)");
  const Lts hesitant =
      read("des (0,5,6)\n(0,tau,1)(1,a,2)(2,i,3)(3,\"tau\",4)(4,b,5)");
  for (const auto& [impl, spec] :
       {std::pair(&quiet, &hesitant), std::pair(&hesitant, &quiet)}) {
    EXPECT_EQ(play(*impl, *spec, Semantics::Weak).verdict, Verdict::Holds);
    EXPECT_EQ(traces(*impl, *spec, Semantics::Weak).verdict, Verdict::Holds);
    EXPECT_EQ(play(*impl, *spec, Semantics::Strong).verdict, Verdict::Violated);
    EXPECT_EQ(traces(*impl, *spec, Semantics::Strong).verdict,
              Verdict::Violated);
  }
}

TEST_F(ByHand, ATraceSaysWhatWasAllowedInstead) {
  const Lts impl = read("des (0,3,4)\n(0,open,1)(1,read,2)(2,read,3)");
  const Lts spec =
      read("des (0,4,3)\n(0,open,1)(1,read,2)(2,close,0)(2,write,1)");
  const TraceResult result = traces(impl, spec, Semantics::Strong);
  ASSERT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(names(result.counterexample->actions),
            (Names{"open", "read", "read"}));
  Names allowed = names(result.counterexample->allowed);
  std::sort(allowed.begin(), allowed.end());
  EXPECT_EQ(allowed, (Names{"close", "write"}));
}

// State 2 is found first by the visible step b and only then by two silent
// ones, which are no step at all; the trace must not start with b.
TEST_F(ByHand, ASilentShortcutFoundLateIsStillShorter) {
  const Lts impl = read("des (0,4,4)\n(0,tau,1)(1,tau,2)(0,b,2)(2,c,3)");
  const Lts spec = read("des (0,1,1)\n(0,b,0)");
  const TraceResult result = traces(impl, spec, Semantics::Weak);
  ASSERT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(names(result.counterexample->actions), (Names{"c"}));
}

TEST_F(ByHand, RunningOutOfTimeIsNoAnswer) {
  // No run fits into one byte, and the limits are looked at along the way.
  std::string text = "des (0,40000,40001)\n";
  for (int i = 0; i < 40000; ++i) {
    text += "(" + std::to_string(i) + ",a," + std::to_string(i + 1) + ")";
  }
  const Lts chain = read(text);
  ExplicitSuccessors impl(chain);
  ExplicitSuccessors spec(chain);
  support::Context hurried({.memory_bytes = 1});
  const SimulationResult simulation =
      simulate(impl, spec, Semantics::Strong, {}, hurried);
  EXPECT_EQ(simulation.verdict, Verdict::Unknown);
  EXPECT_FALSE(simulation.reason.empty());
  const TraceResult inclusion =
      include_traces(impl, spec, Semantics::Strong, hurried);
  EXPECT_EQ(inclusion.verdict, Verdict::Unknown);
  EXPECT_FALSE(inclusion.reason.empty());
}

// Depth is no danger: nothing recurses on the length of a play.
TEST_F(ByHand, LongPlaysAreFine) {
  const int length = 200000;
  std::string text = "des (0," + std::to_string(length) + "," +
                     std::to_string(length + 1) + ")\n";
  std::string longer = "des (0," + std::to_string(length + 1) + "," +
                       std::to_string(length + 2) + ")\n";
  for (int i = 0; i <= length; ++i) {
    const std::string line =
        "(" + std::to_string(i) + ",a," + std::to_string(i + 1) + ")";
    if (i < length) text += line;
    longer += line;
  }
  const Lts chain = read(text);
  const Lts chain_and_one = read(longer);
  EXPECT_EQ(play(chain, chain_and_one, Semantics::Strong).verdict,
            Verdict::Holds);
  const SimulationResult lost = play(chain_and_one, chain, Semantics::Strong);
  ASSERT_EQ(lost.verdict, Verdict::Violated);
  EXPECT_EQ(lost.strategies.at(0).nodes.size(), 200001U);
}

}  // namespace
}  // namespace agon::game
