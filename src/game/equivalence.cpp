// SPDX-License-Identifier: Apache-2.0
#include "game/equivalence.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "game/distinguish.h"
#include "lts/bisimulation.h"
#include "support/error.h"

namespace agon::game {
namespace {

using lts::kTau;
using lts::Lts;
using lts::LtsBuilder;
using lts::Partition;
using lts::State;
using lts::Transition;

std::string_view adjective(Equivalence equivalence) {
  switch (equivalence) {
    case Equivalence::Strong:
      return "strongly";
    case Equivalence::Branching:
      return "branching";
    case Equivalence::Weak:
      return "weakly";
  }
  return "";
}

/// A system with two states that are to be compared.
struct Question {
  Lts lts;
  State left;
  State right;
};

/// The reachable parts of both systems side by side, without kinds.
Question unite(const Lts& left, const Lts& right) {
  LtsBuilder builder(left.labels());
  const auto copy = [&](const Lts& lts) {
    const std::vector<State> order = reachable(lts);
    std::vector<State> number(lts.num_states());
    for (const State state : order) number[state.index()] = builder.add_state();
    for (const State state : order) {
      for (const Transition& t : lts.out(state)) {
        builder.add_transition(number[state.index()], t.label,
                               number[t.target.index()]);
      }
    }
    return number[lts.initial().index()];
  };
  const State first = copy(left);
  const State second = copy(right);
  builder.set_initial(first);
  return {std::move(builder).build(), first, second};
}

/// Classes instead of states. Unlike `quotient`, this keeps those that are
/// reachable from the second state only.
Question contract(const Question& question, const Partition& partition,
                  Equivalence equivalence) {
  const Lts& lts = question.lts;
  LtsBuilder builder(lts.labels());
  builder.ensure_states(partition.num_classes);
  const auto class_of = [&](State state) {
    return State(partition.class_of[state.index()]);
  };
  for (std::uint32_t s = 0; s < lts.num_states(); ++s) {
    const State source = class_of(State(s));
    for (const auto& [label, to] : lts.out(State(s))) {
      const State target = class_of(to);
      const bool inert = equivalence != Equivalence::Strong && label == kTau &&
                         source == target;
      if (!inert) builder.add_transition(source, label, target);
    }
  }
  const State left = class_of(question.left);
  const State right = class_of(question.right);
  builder.set_initial(left);
  return {std::move(builder).build(), left, right};
}

/// The classes, or nothing if a limit was reached.
std::optional<Partition> refine(const Lts& lts, Equivalence equivalence,
                                support::Context& context) {
  switch (equivalence) {
    case Equivalence::Strong:
      return strong_bisimulation(lts);
    case Equivalence::Branching:
      return branching_bisimulation(lts);
    case Equivalence::Weak:
      break;
  }
  // To those who minimise, a system that is too large is bad input. Here it is
  // an answer.
  try {
    return weak_bisimulation(lts, context);
  } catch (const support::InputError&) {
    return {};
  }
}

std::optional<Formula> explain(const Question& question,
                               Equivalence equivalence,
                               support::Context& context) {
  auto formula = distinguish(question.lts, question.left, question.right,
                             equivalence, context);
  if (equivalence != Equivalence::Branching) return formula;
  const auto weak = refine(question.lts, Equivalence::Weak, context);
  if (!weak || weak->same(question.left, question.right)) return formula;
  const Question smaller = contract(question, *weak, Equivalence::Weak);
  auto simpler = distinguish(smaller.lts, smaller.left, smaller.right,
                             Equivalence::Weak, context);
  const bool prefer =
      simpler && (!formula || simpler->size() <= formula->size());
  return prefer ? simpler : formula;
}

}  // namespace

EquivalenceResult compare(const Lts& left, const Lts& right,
                          Equivalence equivalence, support::Context& context) {
  AGON_ASSERT(left.labels() == right.labels());
  const Question both = unite(left, right);
  const auto partition = refine(both.lts, equivalence, context);
  if (!partition) {
    return {support::Verdict::Unknown,
            fmt::format("the comparison was given up: {}",
                        context.exhausted().value_or("it is too large")),
            {}};
  }
  if (partition->same(both.left, both.right)) {
    return {support::Verdict::Holds,
            fmt::format("the systems are {} bisimilar", adjective(equivalence)),
            {}};
  }
  auto formula =
      explain(contract(both, *partition, equivalence), equivalence, context);
  return {
      support::Verdict::Violated,
      fmt::format("the systems are not {} bisimilar{}", adjective(equivalence),
                  formula ? ""
                          : "; a formula that tells them apart could not "
                            "be found within the limits"),
      std::move(formula)};
}

}  // namespace agon::game
