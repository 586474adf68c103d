// SPDX-License-Identifier: Apache-2.0
// Simulation and trace inclusion against their definitions.
#include <gtest/gtest.h>

#include "game/simulation.h"
#include "game/traces.h"
#include "helpers/naive_preorders.h"
#include "helpers/random_lts.h"
#include "lts/aut.h"
#include "lts/successors.h"

namespace agon::game {
namespace {

using lts::ExplicitSuccessors;
using lts::Lts;
using support::Verdict;

/// An explicit system that does not admit to being one, so that the paths for
/// lazy systems are taken.
class Veiled final : public lts::Successors {
 public:
  explicit Veiled(const Lts& lts) : inner_(lts) {}
  lts::State initial() override { return inner_.initial(); }
  std::span<const lts::Transition> expand(lts::State s) override {
    const auto out = inner_.expand(s);
    copy_.assign(out.begin(), out.end());  // Old spans really go stale.
    return copy_;
  }
  lts::StateKind kind(lts::State s) override { return inner_.kind(s); }
  bool can_terminate() const override { return inner_.can_terminate(); }
  std::span<const lts::Label> alphabet() const override {
    return inner_.alphabet();
  }
  const lts::SharedLabels& labels() const override { return inner_.labels(); }

 private:
  ExplicitSuccessors inner_;
  std::vector<lts::Transition> copy_;
};

struct Pair {
  Lts impl;
  Lts spec;
};

/// Half of the pairs are unrelated, half are variants of one another.
Pair random_pair(test::Random& random, const lts::SharedLabels& labels,
                 const test::RandomShape& shape) {
  Lts spec = test::random_lts(random, labels, shape);
  Lts impl = test::below(random, 2) == 0
                 ? test::random_lts(random, labels, shape)
                 : test::mutate(random, spec);
  return {std::move(impl), std::move(spec)};
}

std::string describe(const Pair& pair) {
  return "implementation:\n" + write_aut(pair.impl) + "specification:\n" +
         write_aut(pair.spec);
}

/// Small numbers, so that every acceleration sets in on some of the pairs, at
/// the start or in the middle of the game.
Tuning extreme_tuning(const Pair& pair) {
  const std::size_t salt =
      pair.impl.num_transitions() + 3 * pair.spec.num_transitions();
  return {.look_ahead_after = salt % 5 * 2,
          .coarse_after = salt % 3,
          .reduce_after = salt / 3 % 4,
          .build_after = salt % 11,
          .build_at_most = salt % 13,
          .max_alternatives = salt / 5 % 2 * 1000,
          .first_round = 1 + salt / 2 % 3};
}

void check_simulation(const Pair& pair, Semantics semantics,
                      lts::Successors& impl, lts::Successors& spec) {
  support::Context context;
  const bool weak = semantics == Semantics::Weak;
  const bool expected =
      test::naive_simulation(pair.impl, pair.spec, weak)
          .contains({pair.impl.initial(), pair.spec.initial()});
  const SimulationResult result =
      simulate(impl, spec, semantics,
               {.strategies = 3, .tuning = extreme_tuning(pair)}, context);
  ASSERT_EQ(result.verdict, expected ? Verdict::Holds : Verdict::Violated);
  ASSERT_EQ(result.strategies.empty(), expected);
  const Position start{pair.impl.initial(), pair.spec.initial()};
  for (std::size_t i = 0; i < result.strategies.size(); ++i) {
    const Strategy& strategy = result.strategies[i];
    ASSERT_EQ(refute(strategy, start, impl, spec, semantics), std::nullopt);
    for (std::size_t k = 0; k < i; ++k) {
      ASSERT_FALSE(strategy == result.strategies[k]);
    }
  }
}

void check_traces(const Pair& pair, Semantics semantics, lts::Successors& impl,
                  lts::Successors& spec) {
  support::Context context;
  const bool weak = semantics == Semantics::Weak;
  const auto expected = test::naive_trace_violation(pair.impl, pair.spec, weak);
  const TraceResult result =
      include_traces(impl, spec, semantics, context, extreme_tuning(pair));
  ASSERT_EQ(result.verdict, expected ? Verdict::Violated : Verdict::Holds);
  ASSERT_EQ(result.counterexample.has_value(), expected.has_value());
  if (!expected) return;
  ASSERT_EQ(result.counterexample->actions.size(), *expected);
  ASSERT_EQ(refute(*result.counterexample, impl, spec, semantics),
            std::nullopt);
}

using Check = void (*)(const Pair&, Semantics, lts::Successors&,
                       lts::Successors&);

void check_random_pairs(std::uint64_t seed, std::size_t count,
                        const test::RandomShape& shape, Semantics semantics,
                        Check check) {
  for (std::size_t i = 0; i < test::scaled(count); ++i) {
    test::Random random(seed + i);
    const auto labels = std::make_shared<lts::LabelTable>();
    const Pair pair = random_pair(random, labels, shape);
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + describe(pair));
    if (test::below(random, 4) == 0) {
      Veiled impl(pair.impl);
      Veiled spec(pair.spec);
      check(pair, semantics, impl, spec);
    } else {
      ExplicitSuccessors impl(pair.impl);
      ExplicitSuccessors spec(pair.spec);
      check(pair, semantics, impl, spec);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

constexpr test::RandomShape kSmall{};
constexpr test::RandomShape kDense{
    .max_states = 5, .max_labels = 2, .silent = 0.2, .density = 4};
constexpr test::RandomShape kSilent{
    .max_states = 7, .max_labels = 2, .silent = 0.6, .density = 2.5};
constexpr test::RandomShape kLarger{
    .max_states = 14, .max_labels = 3, .silent = 0.2, .density = 2.5};

class Preorders : public testing::TestWithParam<Semantics> {};

TEST_P(Preorders, SimulationAgreesWithItsDefinition) {
  check_random_pairs(1, 10000, kSmall, GetParam(), check_simulation);
  check_random_pairs(20001, 8000, kDense, GetParam(), check_simulation);
  check_random_pairs(40001, 4000, kSilent, GetParam(), check_simulation);
  check_random_pairs(60001, 600, kLarger, GetParam(), check_simulation);
}

TEST_P(Preorders, TraceInclusionAgreesWithItsDefinition) {
  check_random_pairs(1, 10000, kSmall, GetParam(), check_traces);
  check_random_pairs(20001, 8000, kDense, GetParam(), check_traces);
  check_random_pairs(40001, 4000, kSilent, GetParam(), check_traces);
  check_random_pairs(60001, 2000, kLarger, GetParam(), check_traces);
}

INSTANTIATE_TEST_SUITE_P(Both, Preorders,
                         testing::Values(Semantics::Strong, Semantics::Weak),
                         [](const auto& instance) {
                           return instance.param == Semantics::Strong
                                      ? std::string("Strong")
                                      : std::string("Weak");
                         });

}  // namespace
}  // namespace agon::game
