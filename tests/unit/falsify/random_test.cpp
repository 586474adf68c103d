// SPDX-License-Identifier: Apache-2.0
/// Random programs: nothing is falsified that is not false.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <ranges>
#include <set>

#include "domain/branch_predicates.h"
#include "falsify/falsify.h"
#include "falsify/must.h"
#include "falsify/settle.h"
#include "ir/print.h"
#include "smt/z3_solver.h"
#include "unit/falsify/random_body.h"
#include "unit/falsify/small_solver.h"

namespace agon::falsify {
namespace {

using test::below;
using test::Random;

/// All that there are, and some products.
const std::vector<std::string>& domains() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> result = domain::names();
    result.insert(result.end(),
                  {"sign+interval", "interval+affine", "interval+predicates"});
    return result;
  }();
  return all;
}

bool is_slow(std::string_view domain) {
  return domain.ends_with("predicates");  // These ask the solver.
}

/// A domain of which we do not expect anything yet.
bool is_new(const std::string& domain) {
  const std::set<std::string> known{"interval", "parity", "predicates", "sign"};
  return domain.find('+') == std::string::npos && !known.contains(domain);
}

/// The domain for a case; those that are slow are rarer.
std::string domain_of(std::size_t seed) {
  if (seed % 60 == 0) return "predicates";
  if (seed % 60 == 20) return "interval+predicates";
  std::vector<std::string> quick = domains();
  std::erase_if(quick, is_slow);
  return quick[(seed % 8 + seed / 8) % quick.size()];
}

/// A few of the conditions of branches; with all of them it takes longer.
std::vector<term::Term> some_predicates(const ir::Program& program,
                                        Random& random) {
  std::vector<term::Term> result =
      domain::branch_predicates(program, ir::FunctionId(0), {});
  std::ranges::shuffle(result, random);
  result.resize(std::min<std::size_t>(result.size(), 1 + below(random, 2)));
  return result;
}

/// The seeds of as many cases as are to be tried.
auto seeds(std::size_t base) {
  const std::size_t first = test::first_case();
  return std::views::iota(first, first + test::scaled(base));
}

struct Tally {
  std::size_t programs = 0;  ///< That are false.
  std::size_t falsified = 0;
};

/// The real one where it does not take too long.
std::unique_ptr<smt::Solver> some_solver(std::size_t seed) {
  if (seed % 20 == 0) return smt::make_z3_solver();
  return std::make_unique<test::SmallSolver>();
}

/// A random program, its game, and how to play it.
struct Case {
  explicit Case(std::size_t seed)
      : random(seed),
        solver(some_solver(seed)),
        program(test::RandomFalsifiable(random).build()),
        question{program, ir::FunctionId(0),
                 test::RandomFalsifiable::start(random, program)},
        is_false(test::ConcreteGame(program, question.start).falsifier_wins()) {
    options.choices = seed % 7 == 0 ? Choices::Generators : Choices::Values;
    options.model.values_per_location = 1 + below(random, 10);
    options.max_steps = 10'000;
  }

  Result play() {
    support::Context context;
    return falsify(question, options, *solver, context);
  }

  Random random;
  std::unique_ptr<smt::Solver> solver;
  ir::Program program;
  Question question;
  bool is_false;
  Options options;
};

TEST(RandomFalsification, NeverFalsifiesWhatIsSafe) {
  std::size_t safe = 0;
  for (const std::size_t seed : seeds(1500)) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case one(seed);
    if (one.is_false) continue;
    ++safe;
    one.options.predicates = some_predicates(one.program, one.random);
    for (const std::string& domain : domains()) {
      for (const bool must : {false, true}) {
        one.options.domain = domain;
        one.options.must = must;
        ASSERT_FALSE(one.play().wins)
            << domain << (must ? " must\n" : "\n")
            << ir::print_function(one.program, ir::FunctionId(0));
      }
    }
  }
  EXPECT_GT(safe, test::scaled(1500) / 5);
}

TEST(RandomFalsification, FalsifiesMostOfWhatIsNot) {
  std::map<std::string, Tally> tallies;
  std::size_t by_loops = 0;
  for (const std::size_t seed : seeds(1500)) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case one(seed);
    if (!one.is_false) continue;
    one.options.domain = domain_of(seed);
    for (const bool must : {false, true}) {
      if (must && seed % 8 != 0) continue;
      one.options.must = must;
      one.options.loops = true;
      const Result result = one.play();
      Tally& tally = tallies[one.options.domain + (must ? " must" : "")];
      ++tally.programs;
      tally.falsified += result.wins ? 1 : 0;
      if (!result.wins) continue;
      ASSERT_TRUE(result.execution) << result.reason;
      one.options.loops = false;
      if (seed % 20 != 0 && !one.play().wins) ++by_loops;
    }
  }
  EXPECT_GT(by_loops, test::scaled(1500) / 300);
  EXPECT_EQ(tallies.size(), 2 * domains().size());
  for (const auto& [name, tally] : tallies) {
    const bool is_strong = !is_new(name.substr(0, name.find(' ')));
    EXPECT_GT(tally.falsified, is_strong ? tally.programs / 2 : 0) << name;
    RecordProperty(name,
                   fmt::format("{} of {}", tally.falsified, tally.programs));
  }
}

/// All states of the variables of a program.
std::vector<term::Assignment> all_states(const ir::Program& program) {
  std::vector<term::Assignment> states{{}};
  for (const ir::Variable& variable : program.variables) {
    if (!variable.term.sort().is_bits()) continue;
    std::vector<term::Assignment> more;
    for (const term::Assignment& state : states) {
      for (std::uint64_t v = 0; v < std::uint64_t{1} << variable.term.width();
           ++v) {
        more.push_back(state);
        more.back()[variable.term] = {variable.term.sort(), v, {}};
      }
    }
    states = std::move(more);
  }
  return states;
}

/// Mixed transition systems by their definition: steps of states are looked at
/// one by one.
class NaiveMust {
 public:
  NaiveMust(const ir::Program& program, const Model& model)
      : program_(program),
        body_(program.functions[0].body),
        model_(model),
        states_(all_states(program)) {
    for (const Node& node : model.nodes) {
      std::vector<bool> in;
      for (const term::Assignment& state : states_) {
        in.push_back(term::evaluate(node.states, state).number != 0);
      }
      members_.push_back(std::move(in));
    }
  }

  /// S2: each state of the source has a step along the edge into the target.
  bool is_must(NodeId from, ir::EdgeId edge, NodeId to) const {
    bool is_empty = true;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (!members_[from][s]) continue;
      is_empty = false;
      if (!has_step(states_[s], body_.edge(edge).statement, to)) return false;
    }
    return !is_empty;
  }

  /// Theorem 5.4: a path of must transitions from the start to an error.
  bool falsifies() const {
    std::vector<NodeId> queue{0};
    std::vector<bool> seen(model_.nodes.size(), false);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Node& node = model_.nodes[queue[i]];
      if (node.kind == NodeKind::Bad) return true;
      if (node.kind != NodeKind::Inner) continue;
      for (const ir::EdgeId edge : body_.out_edges(node.location)) {
        for (const NodeId to : model_.at(body_.edge(edge).to)) {
          if (seen[to] || !is_must(queue[i], edge, to)) continue;
          seen[to] = true;
          queue.push_back(to);
        }
      }
    }
    return false;
  }

 private:
  bool has_step(const term::Assignment& state, const ir::Statement& statement,
                NodeId to) const {
    const auto leads = [&](const term::Assignment& after) {
      return term::evaluate(model_.nodes[to].states, after).number != 0;
    };
    term::Assignment after = state;
    if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
      after[program_[assign->target].term] =
          term::evaluate(assign->value, state);
      return leads(after);
    }
    if (const auto* test = std::get_if<ir::Assume>(&statement)) {
      return term::evaluate(test->condition, state).number != 0 && leads(state);
    }
    const auto* const havoc = std::get_if<ir::Havoc>(&statement);
    if (havoc == nullptr || havoc->reason != ir::HavocReason::Input) {
      return false;
    }
    const term::Term x = program_[havoc->target].term;
    for (std::uint64_t v = 0; v < std::uint64_t{1} << x.width(); ++v) {
      after[x] = {x.sort(), v, {}};
      if (leads(after)) return true;
    }
    return false;
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
  const Model& model_;
  std::vector<term::Assignment> states_;
  std::vector<std::vector<bool>> members_;  // By node and state.
};

// The solver finds exactly the must transitions that there are, and Theorem
// 5.8: what they alone falsify, the augmented model falsifies.
TEST(RandomFalsification, IncorporatesMustTransitions) {
  std::size_t by_must = 0;
  std::size_t compared = 0;
  for (const std::size_t seed : seeds(40)) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(10'000 + seed);
    const ir::Program made = test::RandomFalsifiable(random).build();
    const ir::FunctionId entry(0);
    const ir::Program program =
        make_explicit(
            {made, entry, test::RandomFalsifiable::start(random, made)},
            Choices::Values)
            .program;
    const auto solver = some_solver(seed);
    support::Context context;
    const auto domain = domain::make(domains()[seed % domains().size()],
                                     {program, entry, *solver, context});
    ModelOptions options;
    options.values_per_location = 6;
    Model model = build(program, entry, *domain, options, *solver, context);
    const NaiveMust naive(program, model);
    const bool is_falsified = naive.falsifies();
    Model augmented = model;
    incorporate_must(augmented, program, entry, *solver, context);
    for (NodeId id = 0; id < model.nodes.size(); ++id) {
      Node& node = augmented.nodes[id];
      if (node.is_choice) {
        for (std::size_t i = 0; i < node.moves.size(); ++i) {
          settle(augmented, id, i, program, entry, *solver, context);
        }
      } else if (node.kind == NodeKind::Inner) {
        std::size_t expected = 0;
        for (const auto edge :
             program.functions[0].body.out_edges(node.location)) {
          for (const NodeId to :
               model.at(program.functions[0].body.edge(edge).to)) {
            expected += naive.is_must(id, edge, to) ? 1 : 0;
          }
        }
        const std::size_t found =
            node.owner == Player::Falsifier ? node.moves.size() : 0;
        EXPECT_EQ(found, expected);
        compared += expected;
        continue;
      }
      for (const Move& move : node.moves) {
        if (node.owner != Player::Falsifier) continue;
        EXPECT_EQ(move.certainty == Certainty::Sure,
                  naive.is_must(id, move.edge, move.target));
      }
    }
    if (!is_falsified) continue;
    ++by_must;
    EXPECT_TRUE(play(augmented, {}, context)[0].wins);
  }
  EXPECT_GT(by_must, test::scaled(40) / 8);
  EXPECT_GT(compared, test::scaled(40) * 10);
}

}  // namespace
}  // namespace agon::falsify
