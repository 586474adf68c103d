// SPDX-License-Identifier: Apache-2.0
#include "cli/strategy_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "helpers/random_lts.h"

namespace agon::cli {
namespace {

constexpr std::size_t kAll = 1'000'000'000;

/// A random tree with shared parts: children have higher numbers.
StrategyTree random_tree(test::Random& random) {
  StrategyTree tree;
  tree.nodes.resize(1 + test::below(random, 12));
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    StrategyTree::Node& node = tree.nodes[i];
    node.implementation = "p" + std::to_string(i);
    node.specification = "q" + std::to_string(i);
    node.challenge = "a";
    const std::size_t below = tree.nodes.size() - i - 1;
    for (std::size_t k = test::below(random, 4); k > 0 && below > 0; --k) {
      node.responses.push_back(i + 1 + test::below(random, below));
    }
  }
  return tree;
}

std::set<std::size_t> reachable(const StrategyTree& tree) {
  std::set<std::size_t> seen{0};
  for (const std::size_t node : seen) {  // Children come later in the order.
    for (const std::size_t child : tree.nodes[node].responses) {
      seen.insert(child);
    }
  }
  return seen;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++result;
  }
  return result;
}

TEST(StrategyTree, PrintsEachPartOnceAndRefersToItAfterwards) {
  test::Random random(7);
  for (std::size_t i = 0; i < test::scaled(2000); ++i) {
    const StrategyTree tree = random_tree(random);
    const std::string text = to_text(tree, kAll);
    std::size_t lines = 0;
    std::size_t references = 0;
    const std::set<std::size_t> seen = reachable(tree);
    for (const std::size_t node : seen) {
      ASSERT_EQ(count(text, " (" + tree.nodes[node].implementation + ", " +
                                tree.nodes[node].specification + "):"),
                1U)
          << text;
      // One line for the challenge, and then either one that says that there
      // is no response, or one for each response.
      const std::size_t responses = tree.nodes[node].responses.size();
      lines += 1 + std::max<std::size_t>(1, responses);
      references += responses;
    }
    references -= seen.size() - 1;  // One response leads to the part itself.
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'),
              static_cast<std::ptrdiff_t>(lines + references))
        << text;
  }
}

TEST(StrategyTree, IsCutAfterSomeLines) {
  StrategyTree tree;
  tree.nodes.resize(100'000);  // A chain, too deep to recurse.
  for (std::size_t i = 0; i + 1 < tree.nodes.size(); ++i) {
    tree.nodes[i].responses = {i + 1};
  }
  const std::string text = to_text(tree, 10);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
  EXPECT_NE(text.find("... 199990 more lines"), std::string::npos) << text;
  EXPECT_EQ(first_play(tree).size(), 100'000U);
}

TEST(StrategyTree, SaysWhatTheSpecificationCouldDo) {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  builder.ensure_states(3);
  builder.set_initial(lts::State(0));
  const lts::Label a = builder.labels()->intern("a");
  const lts::Label b = builder.labels()->intern("b");
  const lts::Label c = builder.labels()->intern("c");
  builder.add_transition(lts::State(0), lts::kTau, lts::State(1));
  builder.add_transition(lts::State(1), lts::kTau, lts::State(0));
  builder.add_transition(lts::State(1), b, lts::State(2));
  builder.add_transition(lts::State(0), a, lts::State(2));
  const lts::Lts lts = std::move(builder).build();
  lts::ExplicitSuccessors spec(lts);
  const game::Strategy strategy{
      {{{lts::State(0), lts::State(0)}, {c, lts::State(0)}, {}}}};
  using Names = std::vector<std::string>;
  EXPECT_EQ(describe(strategy, spec, game::Semantics::Strong).nodes[0].allowed,
            (Names{"a", "tau"}));
  EXPECT_EQ(describe(strategy, spec, game::Semantics::Weak).nodes[0].allowed,
            (Names{"a", "b"}));
}

}  // namespace
}  // namespace agon::cli
