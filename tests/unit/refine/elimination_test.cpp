// SPDX-License-Identifier: Apache-2.0
// Which predicates rule out a play, against the definition on all states.
#include "refine/elimination.h"

#include <gtest/gtest.h>

#include "term/substitute.h"
#include "unit/refine/admission.h"

namespace agon::refine {
namespace {

using abstraction::Precision;
using term::Assignment;
using term::Term;
using test::Admission;
using test::Subject;

/// What branches test, and comparisons with constants.
std::vector<Term> predicates_of(test::Random& random, const Subject& subject) {
  std::vector<Term> result;
  for (const ir::Edge& edge : subject.blocks.body().edges()) {
    const auto* const test = std::get_if<ir::Assume>(&edge.statement);
    if (test == nullptr) continue;
    term::visit_subterms(test->condition, [&](Term t) {
      if (t.sort().is_bool() && !t.is_constant()) result.push_back(t);
    });
  }
  term::Pool& pool = *subject.program.pool;
  for (const Term v : test::variables_of(subject.program)) {
    result.push_back(pool.equal(v, pool.bits(random(), v.width())));
  }
  return result;
}

/// A few predicates at most of the cut points, where they are of use at all.
Precision random_precision(test::Random& random, const Subject& subject) {
  Precision result(subject.blocks.body().num_locations());
  const std::vector<Term> all = predicates_of(random, subject);
  for (std::size_t k = 1 + test::below(random, 2); k > 0; --k) {
    const Term p = all[test::below(random, all.size())];
    for (const abstraction::Block& block : subject.blocks.all()) {
      const bool is_live =
          std::ranges::all_of(term::variables_of(p), [&](Term variable) {
            return subject.execution.liveness().is_live(
                block.start, subject.program.variable_of(variable));
          });
      if (is_live && test::below(random, 6) != 0) result.add(block.start, p);
    }
  }
  return result;
}

struct Case {
  std::unique_ptr<Subject> subject;
  Play play;
  std::vector<Precision> candidates;
};

/// A play that the abstraction without predicates admits and that is not real.
std::optional<Case> random_case(test::Random& random, std::size_t i) {
  Case result{test::random_subject(random, i), {}, {}};
  const auto play = test::random_play(random, result.subject->blocks, 9);
  if (!play) return std::nullopt;
  result.play = *play;
  const Precision none(result.subject->blocks.body().num_locations());
  const test::Player player(result.subject->blocks, *play);
  const bool is_real = std::ranges::any_of(
      result.subject->starts,
      [&](const Assignment& s) { return player.can_play(0, s); });
  if (is_real || !Admission(*result.subject, none, *play).admits()) {
    return std::nullopt;
  }
  for (std::size_t k = 0; k < 5; ++k) {
    result.candidates.push_back(random_precision(random, *result.subject));
  }
  return result;
}

TEST(Elimination, IsWhatTheDefinitionSays) {
  test::Random random(31);
  support::Context context;
  std::size_t eliminated = 0;
  std::size_t admitted = 0;
  std::size_t divided = 0;
  for (std::size_t i = 0; eliminated + admitted < test::scaled(600); ++i) {
    const auto test = random_case(random, i);
    if (!test) continue;
    SCOPED_TRACE(testing::Message() << "case " << i);
    Subject& subject = *test->subject;
    Elimination elimination(subject.steps, subject.solutions, subject.start,
                            context);
    for (std::uint32_t c = 0; c < 5; ++c) {
      elimination.track(c, test->candidates[c]);
    }
    const std::uint32_t play = elimination.remember(test->play);
    for (std::size_t mask = 1; mask < 32; mask += 1 + test::below(random, 3)) {
      Choice choice;
      Precision precision(subject.blocks.body().num_locations());
      for (std::uint32_t c = 0; c < 5; ++c) {
        if ((mask >> c & 1U) == 0) continue;
        choice.push_back(c);
        precision.add(test->candidates[c]);
      }
      const bool admits = Admission(subject, precision, test->play).admits();
      ++(admits ? admitted : eliminated);
      divided += elimination.parts(choice, play).size() != 1 ? 1 : 0;
      ASSERT_EQ(elimination.eliminates(choice, play), !admits) << mask;
    }
  }
  EXPECT_GT(eliminated, admitted / 20);
  EXPECT_GT(admitted, eliminated / 20);
  EXPECT_GT(divided, (eliminated + admitted) / 20);
}

TEST(Elimination, ForgetsWhatChanges) {
  test::Random random(32);
  support::Context context;
  std::size_t changed = 0;
  for (std::size_t i = 0; changed < test::scaled(10); ++i) {
    const auto test = random_case(random, i);
    if (!test) continue;
    Subject& subject = *test->subject;
    Elimination elimination(subject.steps, subject.solutions, subject.start,
                            context);
    const std::uint32_t play = elimination.remember(test->play);
    bool before = false;
    for (const Precision& precision : test->candidates) {
      elimination.track(0, precision);
      const bool now = elimination.eliminates({0}, play);
      ASSERT_EQ(now, !Admission(subject, precision, test->play).admits());
      changed += now != before ? 1 : 0;
      before = now;
    }
  }
}

TEST(Elimination, FindsOutLaterWhatThereWasNoTimeFor) {
  test::Random random(33);
  support::Context context;
  std::size_t eliminated = 0;
  for (std::size_t i = 0; eliminated < test::scaled(10); ++i) {
    const auto test = random_case(random, i);
    if (!test) continue;
    Subject& subject = *test->subject;
    Elimination elimination(subject.steps, subject.solutions, subject.start,
                            context);
    const std::uint32_t play = elimination.remember(test->play);
    elimination.track(0, test->candidates.front());
    const Precision& precision = test->candidates.front();
    if (Admission(subject, precision, test->play).admits()) continue;
    ++eliminated;
    bool has_time = false;
    elimination.ask_for_calls_left([&] { return has_time ? 1000U : 0U; });
    ASSERT_EQ(elimination.test({0}, play), Elimination::Outcome::Unknown);
    has_time = true;
    ASSERT_EQ(elimination.test({0}, play), Elimination::Outcome::Eliminated);
  }
}

}  // namespace
}  // namespace agon::refine
