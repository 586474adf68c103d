// SPDX-License-Identifier: Apache-2.0
// Lazy, eager, precise and approximate answers on random terms, compared with
// each other and with the interpreter in all small environments.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algol/decide.h"
#include "algol/interpreter.h"
#include "algol/model.h"
#include "algol/parser.h"
#include "algol/tree.h"
#include "all_environments.h"
#include "helpers/random_lts.h"
#include "random_judgement.h"
#include "support/context.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::algol {
namespace {

constexpr std::size_t kTerms = 2000;
constexpr std::size_t kMaxMoves = 7;    // Of the environment.
constexpr std::size_t kMaxPlays = 150;  // Of a term.
constexpr std::uint64_t kMaxSteps = 3000;

struct Counts {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t refined = 0;     // Approximation took more than one iteration.
  std::size_t compared = 0;    // Play by play with the model.
  std::size_t exhaustive = 0;  // The interpreter saw all plays.
};

/// One term, and everything that answers questions about it.
class Subject {
 public:
  explicit Subject(const std::string& text, std::size_t max_plays = kMaxPlays)
      : source_(support::Source::from_string("random.ia", text)),
        judgement_(read_judgement(source_, {})),
        tree_(build_tree(judgement_, source_)),
        labels_(std::make_shared<lts::LabelTable>()),
        model_(build_model(tree_, labels_, context_)) {
    play_all(max_plays);
  }

  /// What some term of the right kind can do, and what this one surely has.
  std::vector<std::string> moves() const {
    std::vector<std::string> result{"abort", "bounds", "result"};
    for (const Identifier& identifier : tree_.identifiers) {
      result.push_back(identifier.name);
      const BaseType& given = identifier.type.result;
      if (given.sort == Sort::Variable && given.data.range.contains(2)) {
        result.push_back(identifier.name + ".write(2)");
      }
      for (std::size_t i = 1; i <= identifier.type.parameters.size(); ++i) {
        const BaseType& parameter = identifier.type.parameters[i - 1];
        result.push_back(identifier.name + "." + std::to_string(i) +
                         (!parameter.has_data()    ? ".done"
                          : parameter.data.is_bool ? ".true"
                                                   : ".1"));
      }
    }
    return result;
  }

  /// The model plays what the interpreter plays, and nothing else.
  void compare_plays(Counts& counts) const {
    if (!has_all_plays_ || was_too_long_) return;
    ++counts.compared;
    for (const Play& play : plays_) EXPECT_TRUE(model_can(play));
    EXPECT_EQ(count_plays(model_.lts->initial(), kMaxMoves), plays_.size());
  }

  void ask(const std::string& move, Counts& counts) {
    const std::vector<Pattern> patterns{parse_pattern(move, tree_)};
    const Decision eager = decide_eagerly(judgement_, model_, patterns);
    ASSERT_NE(eager.kind, Decision::Kind::Unknown) << eager.reason;
    const bool is_reachable = eager.kind == Decision::Kind::Reachable;
    ++(is_reachable ? counts.reachable : counts.unreachable);
    for (const bool precise : {true, false}) {
      for (const Order order : {Order::Program, Order::Random}) {
        const Decision lazy =
            decide(judgement_, tree_, patterns, {precise, order}, context_);
        EXPECT_EQ(lazy.kind, eager.kind)
            << move << (precise ? " precise" : " approximate");
        if (lazy.iterations > 1) ++counts.refined;
        if (lazy.kind != Decision::Kind::Reachable) continue;
        EXPECT_TRUE(ends_in(lazy.example, patterns[0])) << move;
        EXPECT_GE(lazy.example.size(), eager.example.size());
      }
    }
    const bool was_seen = has_played(patterns[0]);
    if (was_seen) {
      EXPECT_TRUE(is_reachable) << move << " was seen";
    }
    if (is_exhaustive_) {
      ++counts.exhaustive;
      EXPECT_EQ(was_seen, is_reachable) << move;
    }
  }

 private:
  void play_all(std::size_t max_plays) {
    test::AllEnvironments environments(kMaxMoves);
    while (environments.next()) {
      if (plays_.size() == max_plays) return;
      const Ending ending = interpret(judgement_, environments, kMaxSteps);
      if (ending == Ending::OutOfSteps) was_too_long_ = true;
      plays_.push_back(environments.play());
    }
    has_all_plays_ = true;
    is_exhaustive_ = !environments.was_bounded() && !was_too_long_;
  }

  bool model_can(const Play& play) const {
    lts::State state = model_.lts->initial();
    for (const Move& move : play) {
      const auto label = labels_->find(to_string(move, tree_));
      if (!label) return false;
      const auto out = model_.lts->out(state);
      const auto it = std::ranges::find(out, *label, &lts::Transition::label);
      if (it == out.end()) return false;
      state = it->target;
    }
    return true;
  }

  /// How many plays there are from a state if the environment has so many moves
  /// left.
  std::size_t count_plays(lts::State state, std::size_t moves) const {
    const auto out = model_.lts->out(state);
    if (out.empty() || moves == 0) return 1;
    std::size_t sum = 0;
    for (const lts::Transition& mine : out) {
      const auto answer = model_.lts->out(mine.target);
      EXPECT_LE(answer.size(), 1U) << "the program has a choice";
      sum += answer.empty() ? 1 : count_plays(answer[0].target, moves - 1);
    }
    return sum;
  }

  bool has_played(const Pattern& pattern) const {
    for (const Play& play : plays_) {
      for (const Move& move : play) {
        if (pattern.match(move) != Pattern::Match::No) return true;
      }
    }
    return false;
  }

  static bool ends_in(const Play& play, const Pattern& pattern) {
    return !play.empty() && pattern.match(play.back()) == Pattern::Match::Yes;
  }

  support::Context context_;
  support::Source source_;
  Judgement judgement_;
  Tree tree_;
  lts::SharedLabels labels_;
  Model model_;
  std::vector<Play> plays_;
  bool was_too_long_ = false;
  bool has_all_plays_ = false;  // With as many moves as are allowed.
  bool is_exhaustive_ = false;  // And none has more.
};

/// A term that is no certain mistake, such as a division by zero.
std::string random_term(test::Random& random) {
  for (;;) {
    std::string text = test::RandomJudgement(random).text();
    try {
      read_judgement(support::Source::from_string("random.ia", text), {});
      return text;
    } catch (const support::InputError& error) {
      const std::string message = error.message();
      EXPECT_TRUE(message == "division by zero" ||
                  message.starts_with("the index is"))
          << error.what();
    }
  }
}

TEST(Agreement, RandomTerms) {
  test::Random random(20061);
  Counts counts;
  const std::size_t terms = test::scaled(kTerms);
  for (std::size_t i = 0; i < terms; ++i) {
    const std::string text = random_term(random);
    SCOPED_TRACE(text);
    Subject subject(text);
    const std::vector<std::string> moves = subject.moves();
    subject.compare_plays(counts);
    subject.ask("abort", counts);
    for (int k = 0; k < 2; ++k) {
      subject.ask(moves[1 + test::below(random, moves.size() - 1)], counts);
    }
    if (::testing::Test::HasFailure()) return;
  }
  // The terms are worth asking about.
  EXPECT_GT(counts.reachable, terms / 4);
  EXPECT_GT(counts.unreachable, terms / 4);
  EXPECT_GT(counts.refined, terms / 20);
  EXPECT_GT(counts.exhaustive, terms / 10);
  EXPECT_GT(counts.compared, terms / 4);
}

TEST(Agreement, RandomNumbers) {
  test::Random random(20063);
  Counts counts;
  const std::size_t terms = test::scaled(kTerms / 10);
  for (std::size_t i = 0; i < terms; ++i) {
    const std::string text = test::RandomJudgement(random).text_about_numbers();
    SCOPED_TRACE(text);
    Subject subject(text, 17 * 17);
    subject.ask("abort", counts);
    subject.ask("c", counts);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(counts.reachable, terms / 4);
  EXPECT_GT(counts.unreachable, terms / 4);
  EXPECT_GT(counts.refined, terms / 4);
  EXPECT_GT(counts.exhaustive, terms / 2);
}

TEST(Agreement, RandomArrays) {
  test::Random random(20062);
  Counts counts;
  const std::size_t terms = test::scaled(kTerms / 4);
  for (std::size_t i = 0; i < terms; ++i) {
    const std::string text =
        test::RandomJudgement(random).text_about_an_array();
    SCOPED_TRACE(text);
    Subject subject(text);
    subject.ask("abort", counts);
    subject.ask("c", counts);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(counts.reachable, terms / 4);
  EXPECT_GT(counts.unreachable, terms / 4);
  EXPECT_GT(counts.refined, terms / 4);
  EXPECT_GT(counts.exhaustive, terms / 10);
}

}  // namespace
}  // namespace agon::algol
