// SPDX-License-Identifier: Apache-2.0
// Which predicates are chosen against several plays that are not real.
#include "refine/refiner.h"

#include <gtest/gtest.h>

#include "helpers/build_program.h"
#include "unit/refine/admission.h"

namespace agon::refine {
namespace {

using abstraction::BlockMode;
using abstraction::Precision;
using term::Kind;
using term::Term;
using test::Admission;
using test::Subject;
using Conditions = std::vector<Term>;

constexpr std::array kSources{PredicateSource::WeakestPreconditions,
                              PredicateSource::Branches};

RefinerOptions options(PredicateSource source, Minimise minimise) {
  RefinerOptions result;
  result.predicates = source;
  result.minimise = minimise;
  result.bounds.share = MinimiseBounds::kWhole;
  return result;
}

/// y = 0; x = 0; if (x == 0) { if (y == 0) … } else { if (y == 0) … }
class TwoTests : public testing::Test {
 protected:
  TwoTests() {
    ir::Program program(ir::DataModel::LP64);
    program.files = {"c"};
    const ir::TypeId type = test::add_integer(program, "unsigned", 4);
    const ir::FunctionId f = test::add_function(program, "f");
    test::Body body(program, f);
    const ir::VariableId x = test::add_global(program, "x", type);
    const ir::VariableId y = test::add_global(program, "y", type);
    const Term zero = program.pool->bits(0, 32);
    is_x = program.pool->equal(program[x].term, zero);
    is_y = program.pool->equal(program[y].term, zero);
    body.assign(y, zero);
    body.assign(x, zero);
    const ir::LocationId other = body.branch(is_x);
    finish_arm(body);
    body.here = other;
    finish_arm(body);
    body.finish();
    subject.emplace(std::move(program), BlockMode::Single,
                    abstraction::Start());
  }

  void finish_arm(test::Body& body) const {
    const ir::LocationId other = body.branch(is_y);
    body.leave();
    body.here = other;
    body.leave();
  }

  /// From the start through both tests, which say yes or no.
  Play play(bool first, bool second) const {
    Play result;
    ir::LocationId at = subject->blocks.body().entry();
    for (const bool takes_first : {true, true, first, second}) {
      Play::Node node;
      node.cut = at;
      node.is_start = result.nodes.empty();
      const auto& exits = subject->blocks.block(at).exits;
      node.exit = takes_first ? exits.front() : exits.back();
      at = subject->blocks.body().edge(node.exit).to;
      result.nodes.push_back(node);
    }
    for (std::uint32_t i = 1; i < result.nodes.size(); ++i) {
      result.nodes[i - 1].children = {i};
    }
    return result;
  }

  /// What is tracked after each of some plays.
  std::vector<Conditions> after(const std::vector<Play>& plays,
                                const RefinerOptions& options) {
    Refiner refiner(subject->steps, subject->solutions, *subject->solver,
                    subject->start, options, context);
    std::vector<Conditions> result;
    for (const Play& play : plays) {
      EXPECT_TRUE(refiner.refine({&play, 1}));
      result.push_back(refiner.precision().distinct());
    }
    return result;
  }

  Term is_x;
  Term is_y;
  std::optional<Subject> subject;
  support::Context context;
};

// Either condition rules out the first play, and only one of them the second.
TEST_F(TwoTests, LeavesOutWhatALaterPredicateMakesNeedless) {
  const std::vector<Play> plays{play(false, false), play(true, false)};
  for (const PredicateSource source : kSources) {
    EXPECT_EQ(after(plays, options(source, Minimise::None)),
              (std::vector<Conditions>{{is_x}, {is_x, is_y}}));
    for (const auto minimise : {Minimise::Greedy, Minimise::Optimal}) {
      EXPECT_EQ(after(plays, options(source, minimise)),
                (std::vector<Conditions>{{is_x}, {is_y}}));
    }
  }
}

TEST_F(TwoTests, ForgetsNoPlay) {
  const std::vector<Play> plays{play(true, false), play(false, true)};
  for (const PredicateSource source : kSources) {
    for (const auto minimise : {Minimise::Greedy, Minimise::Optimal}) {
      EXPECT_EQ(after(plays, options(source, minimise)),
                (std::vector<Conditions>{{is_y}, {is_x, is_y}}));
    }
  }
}

TEST_F(TwoTests, TakesSeveralPlaysAtOnce) {
  const std::vector<Play> plays{play(false, false), play(true, false),
                                play(false, true)};
  for (const auto minimise :
       {Minimise::None, Minimise::Greedy, Minimise::Optimal}) {
    Refiner refiner(subject->steps, subject->solutions, *subject->solver,
                    subject->start,
                    options(PredicateSource::Branches, minimise), context);
    EXPECT_TRUE(refiner.refine(plays));
    EXPECT_EQ(refiner.precision().distinct(), (Conditions{is_x, is_y}));
  }
}

// x = 0; if (x == 1) { if (x == 2) … }: either test rules out the only play.
TEST(Refiner, TakesOneBranchOfAVariableIfAnyCanBeACandidate) {
  ir::Program program(ir::DataModel::LP64);
  program.files = {"c"};
  const ir::TypeId type = test::add_integer(program, "unsigned", 4);
  const ir::FunctionId f = test::add_function(program, "f");
  test::Body body(program, f);
  const ir::VariableId x = test::add_global(program, "x", type);
  const auto is = [&](std::uint64_t value) {
    return program.pool->equal(program[x].term, program.pool->bits(value, 32));
  };
  const Term is_one = is(1);
  const Term is_two = is(2);
  body.assign(x, program.pool->bits(0, 32));
  const ir::LocationId other = body.branch(is_one);
  const ir::LocationId inner = body.branch(is_two);
  for (const ir::LocationId end : {body.here, inner, other}) {
    body.here = end;
    body.leave();
  }
  body.finish();
  Subject subject(std::move(program), BlockMode::Single, abstraction::Start());
  Play play;
  ir::LocationId at = subject.blocks.body().entry();
  for (std::uint32_t i = 0; i < 3; ++i) {
    Play::Node node;
    node.cut = at;
    node.is_start = i == 0;
    node.exit = subject.blocks.block(at).exits.front();
    at = subject.blocks.body().edge(node.exit).to;
    if (i < 2) node.children = {i + 1};
    play.nodes.push_back(node);
  }
  RefinerOptions chosen = options(PredicateSource::Branches, Minimise::Optimal);
  chosen.candidates = Candidates::Play;
  support::Context context;
  Refiner refiner(subject.steps, subject.solutions, *subject.solver,
                  subject.start, chosen, context);
  EXPECT_TRUE(refiner.refine({&play, 1}));
  EXPECT_EQ(refiner.precision().distinct().size(), 1U);
  EXPECT_EQ(context.statistics()["refine.branches"], 1U);
}

/// What a predicate compares with a constant, or itself.
Term compared(Term predicate) {
  if (predicate.kind() != Kind::Equal) return predicate;
  if (predicate.operand(1).is_constant()) return predicate.operand(0);
  if (predicate.operand(0).is_constant()) return predicate.operand(1);
  return predicate;
}

/// The predicates that compare other terms with constants.
Precision without(const Precision& all, Term left_out, const Subject& subject) {
  Precision result(subject.blocks.body().num_locations());
  for (const abstraction::Block& block : subject.blocks.all()) {
    for (const Term p : all.at(block.start)) {
      if (compared(p) != left_out) result.add(block.start, p);
    }
  }
  return result;
}

/// A play that is not real, and that only predicates rule out.
std::optional<Play> spurious_play(test::Random& random, Subject& subject) {
  auto play = test::random_play(random, subject.blocks, 7);
  if (!play) return std::nullopt;
  const test::Player player(subject.blocks, *play);
  const Precision none(subject.blocks.body().num_locations());
  const bool is_real = std::ranges::any_of(
      subject.starts,
      [&](const term::Assignment& s) { return player.can_play(0, s); });
  if (is_real || !Admission(subject, none, *play).admits()) return std::nullopt;
  return play;
}

struct Counts {
  std::size_t ruled_out = 0;
  std::size_t not_ruled_out = 0;
  std::size_t together = 0;  ///< With others.
};

/// Refines on some plays, one after the other. What was ruled out stays so,
/// and where `is_tight` says so, nothing can be left out in the end.
void refine_on(Subject& subject, const std::vector<Play>& plays,
               const RefinerOptions& options, bool is_tight, Counts& counts) {
  support::Context context;
  Refiner refiner(subject.steps, subject.solutions, *subject.solver,
                  subject.start, options, context);
  std::vector<Play> ruled_out;
  const auto admits_any = [&](const Precision& precision) {
    return std::ranges::any_of(ruled_out, [&](const Play& play) {
      return Admission(subject, precision, play).admits();
    });
  };
  for (const Play& play : plays) {
    if (!Admission(subject, refiner.precision(), play).admits()) continue;
    refiner.refine({&play, 1});
    if (Admission(subject, refiner.precision(), play).admits()) {
      ++counts.not_ruled_out;
      return;
    }
    ruled_out.push_back(play);
    ++counts.ruled_out;
    ASSERT_FALSE(admits_any(refiner.precision()));
  }
  counts.together += ruled_out.size() > 1 ? 1 : 0;
  if (!is_tight) return;
  for (const Term p : refiner.precision().distinct()) {
    ASSERT_TRUE(admits_any(without(refiner.precision(), compared(p), subject)));
  }
}

TEST(Refiner, KeepsRulingOutWhatItRuledOut) {
  test::Random random(41);
  Counts counts;
  for (std::size_t i = 0; counts.together < test::scaled(20); ++i) {
    const auto subject = test::random_subject(random, i);
    std::vector<Play> plays;
    for (int k = 0; k < 12; ++k) {
      if (auto play = spurious_play(random, *subject)) plays.push_back(*play);
    }
    if (plays.size() < 2) continue;
    for (const PredicateSource source : kSources) {
      for (const auto minimise :
           {Minimise::None, Minimise::Greedy, Minimise::Optimal}) {
        SCOPED_TRACE(testing::Message()
                     << i << " " << int(source) << " " << int(minimise));
        refine_on(*subject, plays, options(source, minimise),
                  source == PredicateSource::WeakestPreconditions &&
                      minimise != Minimise::None,
                  counts);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(counts.ruled_out, counts.not_ruled_out);
}

}  // namespace
}  // namespace agon::refine
