// SPDX-License-Identifier: Apache-2.0
#include "open/relations.h"

#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "algol/interpreter.h"
#include "algol/machine.h"
#include "algol/precision.h"
#include "ir/actions.h"
#include "lts/lts.h"
#include "open/program.h"
#include "smt/solvers.h"
#include "support/error.h"
#include "support/watchdog.h"
#include "verify/sequential.h"

namespace agon::open {
namespace {

using algol::Decision;
using algol::Machine;

/// Everything is allowed but an error.
lts::Lts no_error() {
  const auto labels = std::make_shared<lts::LabelTable>();
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  builder.extend_alphabet(labels->intern(ir::kError));
  return std::move(builder).build();
}

/// The inputs of an execution, in order.
class Inputs {
 public:
  explicit Inputs(const evidence::Recording& recording)
      : answers_(recording.answers) {}

  /// 0 if there are no more: then it does not matter.
  std::uint64_t next() {
    while (at_ < answers_.size()) {
      const auto& answer = answers_[at_++];
      if (answer.kind != evidence::Recording::Kind::Choice) continue;
      std::uint64_t value = 0;
      const std::string& text = answer.values.front();
      std::from_chars(text.data(), text.data() + text.size(), value);
      return value;
    }
    return 0;
  }

 private:
  const std::vector<evidence::Recording::Answer>& answers_;
  std::size_t at_ = 0;
};

/// The range of the values between which the environment chooses.
algol::Interval range_of(const Machine& machine,
                         const algol::OptionGroup& group) {
  const algol::Tree& tree = machine.tree();
  const algol::Node& at = machine.node();
  std::uint32_t site = at.site;
  if (group.kind != algol::OptionGroup::Kind::WriteTerm) {
    const algol::Identifier& called = tree.identifiers[at.target];
    site = group.kind == algol::OptionGroup::Kind::Return
               ? called.site
               : called.parameter_sites[group.argument];
  }
  return tree.sites[site].data.range;
}

void choose(Machine& machine, Inputs& inputs) {
  const auto groups = machine.options();
  std::size_t place = 0;
  if (groups.size() > 1) {
    const std::uint64_t chosen = inputs.next();
    place = chosen < groups.size() ? chosen : groups.size() - 1;
  }
  const algol::OptionGroup group = groups[place];
  std::uint64_t number = 0;
  if (group.count > 1) {
    const algol::Interval range = range_of(machine, group);
    const std::uint64_t given = inputs.next();
    const auto value = range.low < 0
                           ? std::int64_t{static_cast<std::int32_t>(given)}
                           : static_cast<std::int64_t>(given);
    AGON_ASSERT(range.contains(value));
    number = static_cast<std::uint64_t>(value - range.low);
  }
  machine.choose(group, number);
}

/// The play that the inputs make, up to the move in question.
std::optional<algol::Play> play_of(const algol::Tree& tree,
                                   const std::vector<algol::Pattern>& patterns,
                                   const evidence::Recording& recording,
                                   support::Context& context) {
  const algol::Precision exact =
      make_precision(tree, algol::Partition::Start::Exact);
  algol::Play play;
  Machine machine(tree, exact, patterns);
  machine.record(&play, nullptr);
  machine.start();
  Inputs inputs(recording);
  while (machine.status() == Machine::Status::Choice) {
    choose(machine, inputs);
    while (machine.run() == Machine::Status::Running) {
      if (context.exhausted()) return std::nullopt;
    }
  }
  if (machine.status() != Machine::Status::Hit) return std::nullopt;
  return play;
}

evidence::Result ask_engine(const TermProgram& term, std::size_t max_iterations,
                            support::Context& context) {
  const lts::Lts spec = no_error();
  smt::SolverFactory solvers(*term.program.pool, {.context = &context});
  const auto solver = solvers.make();
  const support::Watchdog watchdog(context, [&] { solver->interrupt(); });
  const verify::Original original{term.program, term.entry};
  verify::Task task{term.program, term.entry, spec};
  task.original = &original;
  verify::Options options;
  options.max_iterations = max_iterations;
  return verify::decide(task, options, *solver, context);
}

}  // namespace

Decision decide_by_predicates(const algol::Judgement& judgement,
                              const algol::Tree& tree,
                              const std::vector<algol::Pattern>& patterns,
                              std::size_t max_iterations,
                              support::Context& context) {
  Decision decision;
  const auto term = to_program(tree, patterns);
  if (!term) {
    decision.reason = "the term is too large";
    return decision;
  }
  const evidence::Result result = ask_engine(*term, max_iterations, context);
  decision.iterations = result.iterations;
  decision.states = result.states;
  decision.reason = result.reason;
  if (result.verdict == support::Verdict::Holds) {
    decision.kind = Decision::Kind::Unreachable;
  }
  if (result.verdict != support::Verdict::Violated ||
      !result.counterexample->recording) {
    return decision;
  }
  auto play =
      play_of(tree, patterns, *result.counterexample->recording, context);
  if (!play) return decision;
  auto example = replay(judgement, *play);
  AGON_ASSERT(example.has_value());
  decision.kind = Decision::Kind::Reachable;
  decision.play = std::move(*play);
  decision.example = std::move(*example);
  return decision;
}

}  // namespace agon::open
