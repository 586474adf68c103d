// SPDX-License-Identifier: Apache-2.0
/// Two variables of three bits: every operation of every domain is compared
/// with what the operators do to all states.
#include <gtest/gtest.h>

#include <algorithm>

#include "domain/domain.h"
#include "helpers/random_lts.h"
#include "smt/z3_solver.h"
#include "term/evaluate.h"

namespace agon::domain {
namespace {

using term::Kind;
using term::Term;
using test::below;
using test::Random;

class SmallNumbers {
 public:
  explicit SmallNumbers(Random& random)
      : random_(random), program(ir::DataModel::LP64) {
    ir::Function function;
    function.name = function.display = "f";
    function.has_body = true;
    program.add_function(function);
    for (const char* name : {"x", "y"}) {
      ir::Variable variable;
      variable.name = variable.display = name;
      variable.kind = ir::VariableKind::Global;
      variables.push_back(
          program.add_variable(variable, term::Sort::bits(kWidth)));
    }
    ir::LocationId at = body_.add_location();
    body_.set_entry(at);
    for (const ir::VariableId id : variables) {
      const ir::LocationId next = body_.add_location();
      body_.add_edge({at, next, ir::Havoc{id, {}, {}}, {}, {}});
      at = next;
    }
    body_.finish();
    program.functions[0].body = std::move(body_);
  }

  /// What an assignment may assign.
  Term number() {
    term::Pool& pool = *program.pool;
    static constexpr Kind kKinds[] = {Kind::Add,
                                      Kind::Subtract,
                                      Kind::Multiply,
                                      Kind::UDivide,
                                      Kind::URemainder,
                                      Kind::SDivide,
                                      Kind::SRemainder,
                                      Kind::BitAnd,
                                      Kind::BitOr,
                                      Kind::BitXor,
                                      Kind::ShiftLeft,
                                      Kind::ShiftRight,
                                      Kind::ShiftRightSigned};
    const std::size_t shape = below(random_, std::size(kKinds) + 3);
    if (shape < std::size(kKinds)) {
      return pool.binary(kKinds[shape], operand(), operand());
    }
    if (shape == std::size(kKinds)) return pool.negate(operand());
    if (shape == std::size(kKinds) + 1) {
      return pool.unary(Kind::BitNot, operand());
    }
    return pool.extract(extended(), static_cast<unsigned>(below(random_, 3)),
                        kWidth);
  }

  Term condition() {
    term::Pool& pool = *program.pool;
    static constexpr Kind kKinds[] = {Kind::ULess, Kind::ULessEqual,
                                      Kind::SLess, Kind::SLessEqual};
    Term a = below(random_, 2) == 0 ? extended() : number();
    Term b = pool.bits(random_(), a.width());
    if (below(random_, 3) == 0) b = a.width() == kWidth ? number() : extended();
    if (below(random_, 2) == 0) std::swap(a, b);
    const Term made = below(random_, 4) == 0
                          ? pool.equal(a, b)
                          : pool.binary(kKinds[below(random_, 4)], a, b);
    return below(random_, 2) == 0 ? made : pool.negation(made);
  }

  /// Bounds for both variables, some of their bits, or nothing.
  Term some_states() {
    term::Pool& pool = *program.pool;
    std::vector<Term> parts;
    for (const ir::VariableId id : variables) {
      const Term x = program[id].term;
      const Term bound = pool.bits(random_(), kWidth);
      switch (below(random_, 4)) {
        case 0:
          parts.push_back(pool.signed_less(x, bound));
          break;
        case 1:
          parts.push_back(pool.signed_less(bound, x));
          break;
        case 2:
          parts.push_back(pool.equal(pool.bit_and(x, pool.bits(1, kWidth)),
                                     pool.bits(below(random_, 2), kWidth)));
          break;
        default:
          break;
      }
    }
    return pool.conjunction(parts);
  }

  std::vector<term::Assignment> states() const {
    std::vector<term::Assignment> result;
    for (std::uint64_t v = 0; v < 1U << (2 * kWidth); ++v) {
      term::Assignment& state = result.emplace_back();
      for (std::size_t i = 0; i < 2; ++i) {
        const Term x = program[variables[i]].term;
        state[x] = {x.sort(), v >> (i * kWidth) & 7, {}};
      }
    }
    return result;
  }

 private:
  static constexpr unsigned kWidth = 3;

  Term operand() {
    if (below(random_, 3) == 0) return program.pool->bits(random_(), kWidth);
    return program[variables[below(random_, 2)]].term;
  }
  Term extended() {
    constexpr unsigned kWide = 5;
    return program.pool->resize(operand(), kWide, below(random_, 2) == 0);
  }

  Random& random_;
  ir::Cfa body_;

 public:
  ir::Program program;
  std::vector<ir::VariableId> variables;
};

class SmallDomain : public testing::TestWithParam<std::string> {
 protected:
  static bool holds(const Domain& domain, const Value& value,
                    const term::Assignment& state) {
    return term::evaluate(domain.concretise(value), state).number != 0;
  }
  static bool is_in(const Domain& domain, const std::vector<Value>& values,
                    const term::Assignment& state) {
    return std::ranges::any_of(values, [&](const Value& value) {
      return holds(domain, value, state);
    });
  }
};

TEST_P(SmallDomain, LosesNoState) {
  const bool asks_solver = GetParam().find("predicates") != std::string::npos;
  const std::size_t cases = test::scaled(asks_solver ? 20 : 1000);
  for (std::size_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    SmallNumbers numbers(random);
    const Term condition = numbers.condition();
    const ir::Assign assign{numbers.variables[0], numbers.number()};
    const auto solver = smt::make_z3_solver();
    support::Context context;
    const auto domain =
        make(GetParam(), {numbers.program,
                          ir::FunctionId(0),
                          *solver,
                          context,
                          {numbers.condition(), numbers.condition()}});
    for (const Value& value :
         domain->filter(domain->top(), numbers.some_states())) {
      const auto filtered = domain->filter(value, condition);
      const auto assigned = domain->post(value, assign);
      for (const term::Assignment& state : numbers.states()) {
        if (!holds(*domain, value, state)) continue;
        if (term::evaluate(condition, state).number != 0) {
          ASSERT_TRUE(is_in(*domain, filtered, state));
        }
        term::Assignment after = state;
        after[numbers.program[assign.target].term] =
            term::evaluate(assign.value, state);
        ASSERT_TRUE(is_in(*domain, assigned, after));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallDomain, testing::ValuesIn([] {
                           std::vector<std::string> all = names();
                           all.push_back("sign+interval");
                           all.push_back("interval+parity");
                           return all;
                         }()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

}  // namespace
}  // namespace agon::domain
