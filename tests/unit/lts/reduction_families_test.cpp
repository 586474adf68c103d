// SPDX-License-Identifier: Apache-2.0
/// Families of systems whose number of classes is known, at sizes where a
/// quadratic algorithm or a recursive one would not come back.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "helpers/naive_equivalences.h"
#include "helpers/random_lts.h"
#include "lts/bisimulation.h"
#include "lts/tau_components.h"

namespace agon::lts {
namespace {

class Families : public testing::Test {
 protected:
  void connect(std::size_t source, const std::string& label,
               std::size_t target) {
    builder.ensure_states(std::max(source, target) + 1);
    builder.add_transition(State::at(source), labels->intern(label),
                           State::at(target));
  }
  Lts build() {
    builder.set_initial(State(0));
    return std::move(builder).build();
  }
  void expect_classes(const Lts& lts, std::size_t strong,
                      std::size_t branching) {
    EXPECT_EQ(strong_bisimulation(lts).num_classes, strong);
    EXPECT_EQ(branching_bisimulation(lts).num_classes, branching);
  }

  static constexpr std::size_t kMany = 200'000;
  SharedLabels labels = std::make_shared<LabelTable>();
  LtsBuilder builder{labels};
};

TEST_F(Families, VisibleChain) {
  for (std::size_t i = 0; i < kMany; ++i) connect(i, "a", i + 1);
  expect_classes(build(), kMany + 1, kMany + 1);
}

TEST_F(Families, VisibleRing) {
  for (std::size_t i = 0; i < kMany; ++i) connect(i, "a", (i + 1) % kMany);
  expect_classes(build(), 1, 1);
}

TEST_F(Families, SilentChainWithAnEnd) {
  for (std::size_t i = 0; i < kMany; ++i) connect(i, "tau", i + 1);
  connect(kMany, "a", kMany + 1);
  expect_classes(build(), kMany + 2, 2);
}

TEST_F(Families, SilentRing) {
  for (std::size_t i = 0; i < kMany; ++i) connect(i, "tau", (i + 1) % kMany);
  connect(kMany / 2, "a", kMany);
  expect_classes(build(), kMany + 1, 2);
}

/// Each state of a silent chain can also leave it by a label of its own.
TEST_F(Families, SilentChainThatForgets) {
  constexpr std::size_t kLength = 20'000;
  for (std::size_t i = 0; i < kLength; ++i) {
    connect(i, "tau", i + 1);
    connect(i, fmt::format("x{}", i), kLength);
  }
  expect_classes(build(), kLength + 1, kLength + 1);
}

/// The labels of a silent chain alternate, so that no step of it is inert, but
/// this is found out only one state at a time, from the end.
TEST_F(Families, SilentChainWithAlternatingLabels) {
  for (std::size_t i = 0; i < kMany; ++i) {
    connect(i, "tau", i + 1);
    connect(i, i % 2 == 0 ? "a" : "b", kMany);
  }
  expect_classes(build(), kMany + 1, kMany + 1);
}

TEST_F(Families, SilentFan) {
  for (std::size_t i = 1; i <= kMany; ++i) {
    connect(0, "tau", i);
    connect(i, i % 2 == 0 ? "a" : "b", kMany + 1);
  }
  expect_classes(build(), 4, 4);
}

TEST_F(Families, SilentFanIn) {
  for (std::size_t i = 0; i < kMany; ++i) connect(i, "tau", kMany);
  connect(kMany, "a", kMany + 1);
  expect_classes(build(), 3, 2);
}

TEST_F(Families, GridWithOneSilentDirection) {
  constexpr std::size_t kSide = 400;
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      if (i + 1 < kSide) connect(i * kSide + j, "a", (i + 1) * kSide + j);
      if (j + 1 < kSide) connect(i * kSide + j, "tau", i * kSide + j + 1);
    }
  }
  expect_classes(build(), kSide * kSide, kSide);
}

TEST_F(Families, CompleteBinaryTree) {
  constexpr std::size_t kDepth = 17;
  const std::size_t inner = (std::size_t{1} << kDepth) - 1;
  for (std::size_t i = 0; i < inner; ++i) {
    connect(i, "a", 2 * i + 1);
    connect(i, "b", 2 * i + 2);
  }
  expect_classes(build(), kDepth + 1, kDepth + 1);
}

/// Silent inner nodes above leaves with an a each.
TEST_F(Families, SilentBinaryTree) {
  constexpr std::size_t kDepth = 17;
  const std::size_t inner = (std::size_t{1} << kDepth) - 1;
  for (std::size_t i = 0; i < inner; ++i) {
    connect(i, "tau", 2 * i + 1);
    connect(i, "tau", 2 * i + 2);
  }
  const std::size_t all = 2 * inner + 1;
  for (std::size_t i = inner; i < all; ++i) connect(i, "a", all);
  expect_classes(build(), kDepth + 2, 2);
}

TEST_F(Families, TauComponentsOfALongPathAndRing) {
  for (std::size_t i = 0; i < kMany; ++i) connect(i, "tau", i + 1);
  connect(kMany, "tau", kMany / 2);
  const Partition result = tau_components(build());
  EXPECT_EQ(result.num_classes, kMany / 2 + 1);
  EXPECT_TRUE(result.same(State::at(kMany), State::at(kMany / 2)));
  EXPECT_FALSE(result.same(State(0), State(1)));
}

/// A silent cycle through a state of another kind makes nothing equivalent.
TEST_F(Families, SilentCycleThroughAnotherKind) {
  connect(0, "tau", 1);
  connect(1, "tau", 2);
  connect(2, "tau", 0);
  builder.set_kind(State(1), StateKind::Error);
  const Lts lts = build();
  EXPECT_EQ(tau_components(lts).num_classes, 3U);
  EXPECT_EQ(branching_bisimulation(lts).num_classes, 2U);
}

TEST_F(Families, SystemsWithoutTransitions) {
  builder.ensure_states(3);
  builder.set_kind(State(2), StateKind::Terminated);
  expect_classes(build(), 2, 2);
}

TEST(TauComponents, AreMutualReachabilityOnRandomSystems) {
  test::Random random(41);
  const auto labels = std::make_shared<LabelTable>();
  for (std::size_t round = 0; round < test::scaled(20'000); ++round) {
    SCOPED_TRACE(round);
    Lts lts = test::random_lts(random, labels, test::shape_of_round(round));
    if (round % 3 == 0) lts = test::decorate(random, lts);
    ASSERT_TRUE(
        test::agrees(tau_components(lts), test::naive_silent_reach(lts)));
  }
}

/// Larger systems, against another algorithm.
TEST(BranchingBisimulation, AgreesWithSignaturesOnLargerSystems) {
  test::Random random(42);
  const auto labels = std::make_shared<LabelTable>();
  const test::RandomShape shapes[] = {{400, 2, 0.5, 2.0},
                                      {300, 1, 0.7, 3.0},
                                      {600, 2, 0.3, 1.5},
                                      {200, 3, 0.2, 4.0},
                                      {500, 1, 0.4, 1.6}};
  for (std::size_t round = 0; round < test::scaled(500); ++round) {
    SCOPED_TRACE(round);
    Lts lts = test::random_lts(random, labels, shapes[round % 5]);
    if (round % 2 == 0) lts = test::forward_silence(lts);
    if (round % 4 == 3) lts = test::decorate(random, lts);
    ASSERT_EQ(branching_bisimulation(lts).class_of,
              test::naive_signatures(lts).class_of);
  }
}

}  // namespace
}  // namespace agon::lts
