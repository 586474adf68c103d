// SPDX-License-Identifier: Apache-2.0
// A violation is one only if the program that was asked about was seen to do
// it.
#include <gtest/gtest.h>

#include "helpers/build_program.h"
#include "smt/z3_solver.h"
#include "verify/record.h"
#include "verify/sequential.h"

namespace agon::verify {
namespace {

using support::Verdict;
using term::Term;

/// A program that performs `a` and counts, with an input in each round; then it
/// performs `b` or `c`.
class Counting {
 public:
  /// With `is_quiet` it ends before that.
  explicit Counting(unsigned rounds, bool is_quiet = false)
      : program(ir::DataModel::LP64) {
    program.files = {"c"};
    const ir::TypeId type = test::add_integer(program, "int", 4);
    entry = test::add_function(program, "proc");
    test::Body body(program, entry);
    const ir::VariableId i = body.local("i", type);
    const ir::VariableId x = body.local("x", type);
    perform(body, "a");
    body.assign(i, number(0));
    const ir::LocationId head = body.here;
    const ir::LocationId end = body.branch(
        program.pool->unsigned_less(program[i].term, number(rounds)));
    body.add(ir::Havoc{x, ir::HavocReason::Input, "?"});
    body.assign(i, program.pool->add(program[i].term, number(1)));
    body.go_to(head);
    body.here = end;
    const ir::LocationId other =
        body.branch(program.pool->equal(program[x].term, number(7)));
    if (!is_quiet) perform(body, "b");
    body.leave();
    body.here = other;
    if (!is_quiet) perform(body, "c");
    body.leave();
    body.finish();
  }

  Task task(const lts::Lts& spec, const Original* original) const {
    return {program, entry, spec, nullptr, nullptr, original};
  }

  ir::Program program;
  ir::FunctionId entry;

 private:
  Term number(unsigned n) { return program.pool->bits(n, 32); }
  void perform(test::Body& body, const std::string& action) {
    const ir::FunctionId id =
        test::add_function(program, action, {}, /*has_body=*/false);
    program.functions[id.index()].is_action = true;
    body.add(ir::Call{id, {}, {}, {}, {}});
  }
};

/// After `a` nothing; or, if it `chooses`, what comes next is fixed by then.
lts::Lts specification(bool chooses) {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  const auto label = [&](const char* name) {
    return builder.labels()->intern(name);
  };
  const lts::State start = builder.add_state();
  builder.set_initial(start);
  if (!chooses) builder.add_transition(start, label("a"), builder.add_state());
  for (const char* next : {"b", "c"}) {
    builder.extend_alphabet(label(next));
    if (!chooses) continue;
    const lts::State after = builder.add_state();
    builder.add_transition(start, label("a"), after);
    builder.add_transition(after, label(next), builder.add_state());
  }
  return std::move(builder).build();
}

struct Engine {
  const char* name;
  Options options;
  bool chooses = false;
};

std::vector<Engine> engines() {
  std::vector<Engine> all(4);
  all[0].name = "simulation";
  all[1] = {"simulation", {}, /*chooses=*/true};
  all[1].options.conformance = Conformance::Simulation;
  all[2].name = "unrolling";
  all[2].options.unrolling = 1;
  all[2].options.falsification = 0;
  all[2].options.refinement.predicates = refine::PredicateSource::Branches;
  all[3].name = "attractor";
  all[3].options.falsification = 1;
  return all;
}

class ReplayTest : public testing::TestWithParam<Engine> {
 protected:
  evidence::Result decide(const Counting& prepared, const Counting& original) {
    const Original whole{original.program, original.entry, true};
    const lts::Lts spec = specification(GetParam().chooses);
    const auto solver = smt::make_z3_solver();
    support::Context context;
    return verify::decide(prepared.task(spec, &whole), GetParam().options,
                          *solver, context);
  }
  /// As many rounds as need this engine.
  unsigned rounds() const { return GetParam().name[0] == 's' ? 1 : 40; }
};

TEST_P(ReplayTest, RecordsWhatTheProgramDoes) {
  const Counting program(rounds());
  const evidence::Result result = decide(program, program);
  ASSERT_EQ(result.verdict, Verdict::Violated);
  EXPECT_EQ(result.decided_by, GetParam().name);
  ASSERT_TRUE(result.counterexample->recording.has_value());
  EXPECT_EQ(result.counterexample->recording->actions.size(), 2U);
}

TEST_P(ReplayTest, DoesNotReportWhatTheProgramDoesNot) {
  const evidence::Result result =
      decide(Counting(rounds()), Counting(rounds(), /*is_quiet=*/true));
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_NE(result.reason.find("could not be replayed"), std::string::npos)
      << result.reason;
  EXPECT_FALSE(result.counterexample.has_value());
}

INSTANTIATE_TEST_SUITE_P(Engines, ReplayTest, testing::ValuesIn(engines()),
                         [](const auto& each) {
                           return std::string(each.param.name) +
                                  (each.param.chooses ? "Tree" : "");
                         });

TEST(Record, TellsWhatWasReplayedFromWhatIsKept) {
  const lts::Lts spec = specification(false);
  constexpr unsigned kMany = 200'001;
  const Counting long_one(kMany);
  const Original same{long_one.program, long_one.entry, true};
  const Replayed replayed =
      record(long_one.task(spec, &same), {}, {}, {"a", "c"});
  EXPECT_EQ(replayed.problem, "");
  EXPECT_FALSE(replayed.recording.has_value());
}

TEST(Record, SaysWhatHappensInstead) {
  const lts::Lts spec = specification(false);
  const Counting program(1);
  const Original same{program.program, program.entry, true};
  EXPECT_EQ(record(program.task(spec, &same), {}, {}, {"a", "b"}).problem,
            "it performs 'c' instead of 'b'");
  EXPECT_EQ(record(program.task(spec, &same), {}, {}, {"a", "c", "b"}).problem,
            "it ends before 'b'");
}

}  // namespace
}  // namespace agon::verify
