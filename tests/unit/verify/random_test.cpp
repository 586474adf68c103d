// SPDX-License-Identifier: Apache-2.0
// The loop on random programs, against building all of their states.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "helpers/naive_preorders.h"
#include "helpers/random_lts.h"
#include "lts/bisimulation.h"
#include "smt/z3_solver.h"
#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_body.h"
#include "verify/monitor.h"
#include "verify/sequential.h"

namespace agon::verify {
namespace {

using abstraction::BlockMode;
using support::Verdict;
using term::Term;

/// The program as a system whose states are a location and all values. The
/// first state goes silently to all starts.
class ConcreteSystem {
 public:
  ConcreteSystem(const ir::Program& program, lts::SharedLabels labels)
      : program_(program),
        body_(program.functions[0].body),
        variables_(test::variables_of(program)),
        builder_(std::move(labels)) {}

  lts::Lts build() {
    const lts::State first = builder_.add_state();
    builder_.set_initial(first);
    for (const auto& start : test::all_assignments(variables_)) {
      if (!is_start(start)) continue;
      builder_.add_transition(first, lts::kTau, intern(body_.entry(), start));
    }
    while (!open_.empty()) {
      const Place place = std::move(open_.back());
      open_.pop_back();
      const lts::State from = index_.at(key(place));
      for (const ir::EdgeId id : body_.out_edges(place.at)) {
        take(from, body_.edge(id), place.values);
      }
    }
    return std::move(builder_).build();
  }

 private:
  bool is_start(const term::Assignment& values) const {
    return std::ranges::all_of(variables_, [&](Term v) {
      const Term initial = program_[program_.variable_of(v)].initial;
      return !initial.valid() ||
             term::evaluate(initial, values) == values.at(v);
    });
  }

  struct Place {
    ir::LocationId at;
    term::Assignment values;
  };
  using Key = std::pair<ir::LocationId, std::vector<term::Integer>>;

  Key key(const Place& place) const {
    Key result{place.at, {}};
    for (const Term v : variables_) {
      result.second.push_back(place.values.at(v).number);
    }
    return result;
  }

  lts::State intern(ir::LocationId at, const term::Assignment& values) {
    const auto [found, is_new] = index_.try_emplace(key({at, values}));
    if (is_new) {
      found->second = builder_.add_state();
      open_.push_back({at, values});
    }
    return found->second;
  }

  void take(lts::State from, const ir::Edge& edge, term::Assignment values) {
    lts::Label label = lts::kTau;
    if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      if (!test::holds(test->condition, values)) return;
    } else if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      const term::Value value = term::evaluate(assign->value, values);
      values[program_[assign->target].term] = value;
    } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
      label = builder_.labels()->intern(program_[call->callee].display);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      const Term target = program_[havoc->target].term;
      for (const auto& one : test::all_assignments(std::vector{target})) {
        values[target] = one.at(target);
        builder_.add_transition(from, label, intern(edge.to, values));
      }
      return;
    }
    builder_.add_transition(from, label, intern(edge.to, values));
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::vector<Term> variables_;
  lts::LtsBuilder builder_;
  std::map<Key, lts::State> index_;
  std::vector<Place> open_;
};

/// What the program does, or something like it.
lts::Lts random_spec(test::Random& random, const lts::Lts& system) {
  const lts::Lts small = lts::quotient(
      system, lts::branching_bisimulation(system), lts::Inert::Drop);
  const lts::Lts made =
      test::below(random, 3) == 0 ? small : test::mutate(random, small);
  lts::LtsBuilder builder(made.labels());
  builder.ensure_states(made.num_states());
  builder.set_initial(made.initial());
  for (std::size_t s = 0; s < made.num_states(); ++s) {
    for (const lts::Transition t : made.out(lts::State::at(s))) {
      builder.add_transition(lts::State::at(s), t.label, t.target);
    }
  }
  for (const char* const name : {"a", "b"}) {
    builder.extend_alphabet(made.labels()->intern(name));
  }
  return std::move(builder).build();
}

Options random_options(test::Random& random) {
  Options options;
  options.blocks =
      test::below(random, 3) == 0 ? BlockMode::Single : BlockMode::Large;
  options.refinement.predicates =
      test::below(random, 3) == 0
          ? refine::PredicateSource::Branches
          : refine::PredicateSource::WeakestPreconditions;
  options.refinement.candidates = test::below(random, 2) == 0
                                      ? refine::Candidates::Core
                                      : refine::Candidates::Play;
  options.layers.set_quick(test::below(random, 4) != 0);
  options.layers.boundary = test::below(random, 2) == 0;
  options.expansion =
      test::below(random, 3) == 0 ? Expansion::Full : Expansion::Lazy;
  options.reuses_answers = test::below(random, 3) != 0;
  options.max_iterations = 200;
  options.falsification = std::array{0U, 1U, 1U}[test::below(random, 3)];
  options.invariants = test::below(random, 2);
  return options;
}

TEST(SequentialRandom, AgreesWithAllStatesOfTheProgram) {
  test::Random random(21);
  std::map<std::pair<Conformance, Verdict>, std::size_t> seen;
  std::size_t unknown = 0;
  std::size_t refined = 0;
  std::size_t falsified = 0;
  std::size_t unrolled = 0;
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    test::BodyShape shape;
    shape.locations = 6 + static_cast<unsigned>(test::below(random, 10));
    shape.variables = 2;
    shape.depth = static_cast<unsigned>(test::below(random, 2));
    shape.loops = i % 4 != 0;
    shape.eagerness = 6;
    ir::Program program = test::RandomBody(random, shape).build();
    for (ir::Variable& variable : program.variables) {
      if (variable.term.sort().is_array() || test::below(random, 3) == 0) {
        continue;
      }
      variable.initial = program.pool->bits(random(), shape.width);
    }
    const auto labels = std::make_shared<lts::LabelTable>();
    const lts::Lts all = ConcreteSystem(program, labels).build();
    const lts::Lts spec = random_spec(random, all);
    if (all.alphabet().empty() || spec.num_states() > 12) continue;
    const bool simulated = test::naive_simulation(all, spec, true)
                               .contains({all.initial(), spec.initial()});
    const bool included = !test::naive_trace_violation(all, spec, true);
    for (const auto conformance :
         {Conformance::Simulation, Conformance::Trace, Conformance::Auto}) {
      SCOPED_TRACE(testing::Message()
                   << i << " " << static_cast<int>(conformance));
      Options options = random_options(random);
      options.conformance = conformance;
      options.unrolling = i % 3 == 0 ? 1 : 0;
      const auto solver = smt::make_z3_solver();
      support::Context context;
      const evidence::Result result =
          decide({program, ir::FunctionId(0), spec}, options, *solver, context);
      refined += result.iterations > 1 ? 1 : 0;
      falsified += result.decided_by == "attractor" ? 1 : 0;
      unrolled += result.decided_by == "unrolling" ? 1 : 0;
      if (result.verdict == Verdict::Unknown) {
        ++unknown;
        EXPECT_EQ(result.reason.find("internal"), std::string::npos)
            << result.reason;
        continue;
      }
      const bool expected =
          conformance == Conformance::Simulation ? simulated : included;
      ASSERT_EQ(result.verdict, expected ? Verdict::Holds : Verdict::Violated);
      ASSERT_EQ(result.counterexample.has_value(), !expected);
      ++seen[{conformance, result.verdict}];
    }
  }
  EXPECT_EQ(seen.size(), 6U);
  for (const auto& [kind, count] : seen) EXPECT_GT(count, 10U);
  EXPECT_GT(refined, 20U);
  EXPECT_GT(falsified, 2U);
  EXPECT_GT(unrolled, 2U);
  EXPECT_LE(unknown, test::scaled(300) / 100);
}

/// Whether some state performs an action.
bool performs(const lts::Lts& system, const std::string& action) {
  const auto label = system.labels()->find(action);
  return std::ranges::any_of(system.transitions(), [&](lts::Transition t) {
    return label && t.label == *label;
  });
}

TEST(MonitorRandom, FailsExactlyWhereTracesAreNotIncluded) {
  test::Random random(22);
  std::array<std::size_t, 2> seen{};
  for (std::size_t i = 0; i < test::scaled(400); ++i) {
    test::BodyShape shape;
    shape.locations = 6 + static_cast<unsigned>(test::below(random, 8));
    shape.variables = 1;
    shape.eagerness = 6;
    const ir::Program program = test::RandomBody(random, shape).build();
    const auto labels = std::make_shared<lts::LabelTable>();
    const lts::Lts all = ConcreteSystem(program, labels).build();
    const lts::Lts spec = random_spec(random, all);
    if (all.alphabet().empty() || spec.num_states() > 12) continue;
    support::Context context;
    const auto watched = monitor({program, ir::FunctionId(0), spec}, context);
    ASSERT_TRUE(watched.has_value());
    const lts::Lts states =
        ConcreteSystem(watched->program, std::make_shared<lts::LabelTable>())
            .build();
    const bool fails = performs(states, "error");
    ASSERT_EQ(fails, test::naive_trace_violation(all, spec, true).has_value())
        << i;
    ++seen[fails ? 1 : 0];
  }
  EXPECT_GT(seen[0], test::scaled(20));
  EXPECT_GT(seen[1], test::scaled(20));
}

}  // namespace
}  // namespace agon::verify
