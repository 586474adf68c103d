// SPDX-License-Identifier: Apache-2.0
#include "verify/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/random_lts.h"

namespace agon::verify {
namespace {

using lts::Label;
using lts::State;

/// The states after any trace of up to `length` steps of the program, each
/// trace and each way of following it on its own.
void follow(const lts::Lts& program, const lts::Lts& spec, State p, State s,
            int length, std::vector<bool>& reached) {
  reached[s.index()] = true;
  if (length == 0) return;
  for (const lts::Transition own : spec.out(s)) {
    if (own.label == lts::kTau) {
      follow(program, spec, p, own.target, length - 1, reached);
    }
  }
  for (const lts::Transition t : program.out(p)) {
    if (t.label == lts::kTau) {
      follow(program, spec, t.target, s, length - 1, reached);
    }
    for (const lts::Transition answer : spec.out(s)) {
      if (t.label == lts::kTau || answer.label != t.label) continue;
      follow(program, spec, t.target, answer.target, length - 1, reached);
    }
  }
}

TEST(Coverage, IsWhatFollowingEveryTraceFinds) {
  test::Random random(5);
  support::Context context;
  const auto labels = std::make_shared<lts::LabelTable>();
  std::size_t missed = 0;
  for (std::size_t i = 0; i < test::scaled(200); ++i) {
    test::RandomShape shape;
    shape.max_states = 3;
    shape.density = 1.5;
    const lts::Lts program = test::random_lts(random, labels, shape);
    const lts::Lts spec = test::random_lts(random, labels, shape);
    std::vector<bool> expected(spec.num_states());
    // As long as there are pairs.
    follow(program, spec, program.initial(), spec.initial(),
           static_cast<int>(program.num_states() * spec.num_states()),
           expected);
    lts::ExplicitSuccessors view(program);
    const auto found = reached_states(view, spec, context);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, expected) << "case " << i;
    for (const auto& way : ways_to_others(spec, *found, {})) {
      ++missed;
      EXPECT_LE(way.size(), spec.num_states());
    }
  }
  EXPECT_GT(missed, 10U);
}

}  // namespace
}  // namespace agon::verify
