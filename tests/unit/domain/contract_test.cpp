// SPDX-License-Identifier: Apache-2.0
/// What every domain promises, checked on random programs that the interpreter
/// runs: no operation loses the state that execution is in.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "domain/domain.h"
#include "helpers/random_term.h"
#include "ir/interpreter.h"
#include "smt/z3_solver.h"
#include "support/error.h"
#include "term/substitute.h"

namespace agon::domain {
namespace {

using term::Term;
using test::below;
using test::Random;

/// A straight line of assignments, choices and branches that meet again. A
/// choice of `probe` behind each step shows the state to the environment.
class Line {
 public:
  /// A simple one has small numbers, for domains that ask the solver.
  Line(Random& random, bool is_simple)
      : random_(random),
        depth_(is_simple ? 1 : 2),
        program(ir::DataModel::LP64) {
    ir::Function function;
    function.name = function.display = "f";
    function.has_body = true;
    entry = program.add_function(function);
    terms_.emplace(random, *program.pool);
    for (const unsigned width : {1U, 3U, 4U, 4U, 5U, 8U, 32U, 64U, 100U}) {
      if (!is_simple || width <= 4) {
        add_variable("x", term::Sort::bits(width));
      }
    }
    add_variable("b", term::Sort::boolean());
    probe = add_variable("probe", term::Sort::bits(8));
    terms_->variables.pop_back();
    at_ = body_.add_location();
    body_.set_entry(at_);
    for (int i = 0; i < 12; ++i) add_step();
    body_.finish();
    program.functions[entry.index()].body = std::move(body_);
  }

 private:
  ir::VariableId add_variable(const std::string& name, term::Sort sort) {
    ir::Variable variable;
    variable.name = variable.display = name;
    variable.kind = ir::VariableKind::Global;
    const auto id = program.add_variable(variable, sort);
    terms_->variables.push_back(program[id].term);
    if (name != "probe") variables.push_back(id);
    return id;
  }

  /// Terms over scalars, and at least one of them.
  template <class Make>
  static Term over_scalars(const Make& make) {
    for (;;) {
      const Term term = make();
      const auto all = term::variables_of(term);
      if (!all.empty() && std::ranges::none_of(all, [](Term v) {
            return v.sort().is_array();
          })) {
        return term;
      }
    }
  }

  void add_step() {
    const ir::VariableId target = variables[below(random_, variables.size())];
    const term::Sort sort = program[target].term.sort();
    const ir::LocationId next = body_.add_location();
    switch (below(random_, 6)) {
      case 0:
        edge(next, ir::Havoc{target, ir::HavocReason::Input, {}});
        break;
      case 1:
      case 2:
      case 3: {
        const Term condition =
            over_scalars([&] { return condition_like_code(); });
        edge(next, ir::Assume{condition});
        edge(next, ir::Assume{program.pool->negation(condition)});
        break;
      }
      default:
        edge(next, ir::Assign{target, assigned(sort)});
    }
    at_ = next;
    const ir::LocationId shown = body_.add_location();
    edge(shown, ir::Havoc{probe, ir::HavocReason::Input, {}});
    at_ = shown;
  }

  /// Some are small numbers.
  Term assigned(term::Sort sort) {
    if (sort.is_bits() && below(random_, 3) == 0) {
      return program.pool->bits(below(random_, 9) - 4, sort.width);
    }
    return over_scalars([&] {
      return sort.is_bool() ? terms_->boolean(depth_)
                            : terms_->bits(sort.width, depth_);
    });
  }

  /// Half of them compare variables with small numbers.
  Term condition_like_code() {
    if (below(random_, 2) == 0) return terms_->boolean(depth_ + 1);
    const Term x = program[variables[below(random_, 4)]].term;
    const Term small = program.pool->bits(below(random_, 9) - 4, x.width());
    const term::Kind kinds[] = {term::Kind::ULess, term::Kind::SLess,
                                term::Kind::ULessEqual, term::Kind::SLessEqual};
    if (below(random_, 3) == 0) return program.pool->equal(x, small);
    const term::Kind kind = kinds[below(random_, 4)];
    return below(random_, 2) == 0 ? program.pool->binary(kind, x, small)
                                  : program.pool->binary(kind, small, x);
  }

  void edge(ir::LocationId to, ir::Statement statement) {
    body_.add_edge({at_, to, std::move(statement), {}, {}});
  }

  Random& random_;
  unsigned depth_;  // Of terms.
  std::optional<test::RandomTerms> terms_;
  ir::Cfa body_;
  ir::LocationId at_;

 public:
  ir::Program program;
  ir::FunctionId entry;
  ir::VariableId probe;
  std::vector<ir::VariableId> variables;
};

/// Chooses at random, and keeps the state at each probe.
class Watcher final : public ir::ZeroEnvironment {
 public:
  Watcher(Random& random, const Line& line) : random_(random), line_(line) {}

  term::Bits choose(const ir::Program&, const ir::Havoc&,
                    const ir::Position&) override {
    return any();
  }
  term::Bits initial_value(const ir::Program&, ir::VariableId id) override {
    const unsigned width =
        std::max<unsigned>(line_.program[id].term.sort().width, 1);
    return initial[id] = term::truncate(any(), width);
  }
  void before_choice(ir::EdgeId edge, const ir::StateView& view) override {
    const ir::Cfa& body = line_.program[line_.entry].body;
    const auto& havoc = std::get<ir::Havoc>(body.edge(edge).statement);
    if (havoc.target != line_.probe) return;
    term::Assignment state;
    for (const ir::VariableId id : line_.variables) {
      const Term variable = line_.program[id].term;
      state[variable] = {variable.sort(), view.value(id), {}};
    }
    states.push_back(std::move(state));
  }

  std::map<ir::VariableId, term::Bits> initial;
  std::vector<term::Assignment> states;

 private:
  term::Bits any() {
    const term::Bits word = random_();
    const term::Bits wide = word << 64 | random_();
    return below(random_, 3) == 0 ? wide
                                  : term::Bits{0} + below(random_, 9) - 4;
  }

  Random& random_;
  const Line& line_;
};

class DomainContract : public testing::TestWithParam<std::string> {
 protected:
  static bool asks_solver() {
    return GetParam().find("predicates") != std::string::npos;
  }

  /// One condition in so many has to be decided. A new domain may know little.
  static std::size_t least_share() {
    const std::set<std::string> strong{"interval", "parity", "predicates",
                                       "sign"};
    const bool is_product = GetParam().find('+') != std::string::npos;
    return is_product || strong.contains(GetParam()) ? 20 : 100;
  }

  static bool holds(const Domain& domain, const Value& value,
                    const term::Assignment& state) {
    return term::evaluate(domain.concretise(value), state).number != 0;
  }

  /// A value of the list that has the state; nothing if it is lost.
  static std::optional<Value> find(const Domain& domain,
                                   const std::vector<Value>& values,
                                   const term::Assignment& state) {
    const auto found = std::ranges::find_if(values, [&](const Value& value) {
      return holds(domain, value, state);
    });
    return found != values.end() ? std::optional(*found) : std::nullopt;
  }

  static std::vector<Value> step(Domain& domain, const Value& value,
                                 const ir::Statement& statement) {
    if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
      return domain.post(value, *assign);
    }
    if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
      return domain.post(value, *havoc);
    }
    return domain.filter(value, std::get<ir::Assume>(statement).condition);
  }

  /// The order and the operations on two values that have a state each.
  static void check_order(Domain& domain, Random& random, const Line& line,
                          const Value& a, const term::Assignment& at_a,
                          const Value& b, const term::Assignment& at_b) {
    for (const Value& both : {domain.join(a, b), domain.widen(a, b)}) {
      EXPECT_TRUE(holds(domain, both, at_a));
      EXPECT_TRUE(holds(domain, both, at_b));
      EXPECT_TRUE(domain.is_below(a, both));
      EXPECT_TRUE(domain.is_below(b, both));
    }
    EXPECT_TRUE(!domain.is_below(a, b) || holds(domain, b, at_a));
    EXPECT_TRUE(domain.is_below(a, domain.top()));
    EXPECT_TRUE(holds(domain, domain.top(), at_a));
    const std::size_t kept = below(random, line.variables.size());
    const Value less = domain.keep(
        a, [&](ir::VariableId id) { return id == line.variables[kept]; });
    EXPECT_TRUE(domain.is_below(a, less));
    for (const Term variable : term::variables_of(domain.concretise(less))) {
      EXPECT_EQ(variable, line.program[line.variables[kept]].term);
    }
  }
};

TEST_P(DomainContract, LosesNoState) {
  std::size_t decided = 0;
  std::size_t steps = 0;
  for (std::size_t seed = 0; seed < test::scaled(asks_solver() ? 4 : 60);
       ++seed) {
    Random random(seed);
    const Line line(random, asks_solver());
    const auto solver = smt::make_z3_solver();
    solver->set_limits({100'000, {}});
    support::Context context;
    const auto domain =
        make(GetParam(), {line.program, line.entry, *solver, context});
    std::vector<std::pair<Value, term::Assignment>> met;
    for (int run = 0; run < 3; ++run) {
      Watcher watcher(random, line);
      ir::InterpreterOptions options;
      options.record_path = true;
      const ir::Run done =
          ir::interpret(line.program, line.entry, watcher, options);
      ASSERT_EQ(done.path.size(), 24U);
      Value value = domain->top();
      for (std::size_t i = 0; i < 12; ++i) {
        const ir::Edge& edge =
            line.program[line.entry].body.edge(done.path[2 * i].edge);
        const auto next = find(*domain, step(*domain, value, edge.statement),
                               watcher.states[i]);
        ASSERT_TRUE(next) << GetParam() << ", seed " << seed << ", step " << i;
        if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
          const auto one = domain->restrict(value, test->condition);
          ASSERT_TRUE(one && holds(*domain, *one, watcher.states[i]));
          ++steps;
          decided +=
              domain->filter(value,
                             line.program.pool->negation(test->condition))
                      .empty()
                  ? 1
                  : 0;
        }
        value = *next;
        met.emplace_back(value, watcher.states[i]);
      }
    }
    for (int i = 0; i < 20; ++i) {
      const auto& [a, at_a] = met[below(random, met.size())];
      const auto& [b, at_b] = met[below(random, met.size())];
      check_order(*domain, random, line, a, at_a, b, at_b);
    }
  }
  EXPECT_GT(decided, steps / least_share()) << "it knows nothing";
}

// More combinations than any domain keeps apart.
TEST_P(DomainContract, LosesNoStateToManyAlternatives) {
  for (std::size_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    const Line line(random, asks_solver());
    term::Pool& pool = *line.program.pool;
    const auto solver = smt::make_z3_solver();
    solver->set_limits({100'000, {}});
    support::Context context;
    const auto domain =
        make(GetParam(), {line.program, line.entry, *solver, context});
    std::vector<Term> parts;
    for (const ir::VariableId id : line.variables) {
      const Term x = line.program[id].term;
      if (!x.sort().is_bits()) continue;
      const Term low = pool.bit_and(x, pool.bits(1, x.width()));
      parts.push_back(pool.disjunction(
          {pool.equal(x, pool.bits(0, x.width())),
           pool.equal(x, pool.bits(~term::Bits{0}, x.width())),
           pool.conjunction({pool.equal(low, pool.bits(1, x.width())),
                             pool.signed_less(x, pool.bits(1, x.width()))})}));
    }
    const Term condition = pool.conjunction(parts);
    const auto values = domain->filter(domain->top(), condition);
    const auto one = domain->restrict(domain->top(), condition);
    ASSERT_TRUE(one);
    for (int i = 0; i < 200; ++i) {
      term::Assignment state;
      for (const ir::VariableId id : line.variables) {
        const Term x = line.program[id].term;
        const unsigned width = std::max<unsigned>(x.width(), 1);
        const term::Bits some[] = {0, ~term::Bits{0}, ~term::Bits{2}};
        state[x] = {
            x.sort(), term::truncate(some[below(random, 3)], width), {}};
      }
      if (term::evaluate(condition, state).number == 0) continue;
      EXPECT_TRUE(find(*domain, values, state)) << "seed " << seed;
      EXPECT_TRUE(holds(*domain, *one, state)) << "seed " << seed;
    }
  }
}

TEST_P(DomainContract, WideningEnds) {
  for (std::size_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    const Line line(random, asks_solver());
    const auto solver = smt::make_z3_solver();
    solver->set_limits({100'000, {}});
    support::Context context;
    const auto domain =
        make(GetParam(), {line.program, line.entry, *solver, context});
    Value wide;
    std::size_t changes = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const ir::VariableId target =
          line.variables[below(random, line.variables.size())];
      const Term variable = line.program[target].term;
      if (!variable.sort().is_bits()) continue;
      const ir::Assign assign{target,
                              line.program.pool->bits(i * i, variable.width())};
      const Value next =
          domain->post(wide.empty() ? domain->top() : wide, assign).front();
      if (wide.empty()) wide = next;
      const Value wider = domain->widen(wide, next);
      changes += wider != wide ? 1 : 0;
      wide = wider;
      if (asks_solver() && i == 20) break;
    }
    EXPECT_LT(changes, 150U);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DomainContract, testing::ValuesIn([] {
                           std::vector<std::string> all = names();
                           all.push_back(all.front() + "+" + all.back());
                           all.push_back("sign+interval");
                           all.push_back("interval+affine");
                           all.push_back("interval+predicates+sign");
                           return all;
                         }()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

TEST(Domains, AreFoundByName) {
  const std::vector<std::string> all = names();
  EXPECT_TRUE(std::ranges::is_sorted(all));
  for (const char* name : {"interval", "predicates", "sign"}) {
    EXPECT_EQ(std::ranges::count(all, name), 1) << name;
  }
  Random random(1);
  const Line line(random, false);
  const auto solver = smt::make_z3_solver();
  support::Context context;
  const Setting setting{line.program, line.entry, *solver, context};
  for (const char* wrong : {"signs", "", "sign+", "+"}) {
    EXPECT_THROW(make(wrong, setting), support::InputError) << wrong;
  }
}

}  // namespace
}  // namespace agon::domain
