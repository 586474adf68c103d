// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lts/bisimulation.h"
#include "lts/chains.h"
#include "support/error.h"

namespace agon::lts {
namespace {

// Weak bisimilarity is strong bisimilarity of the system in which silent steps
// are absorbed: s has a silent transition to all that it reaches silently,
// itself included, and an a-transition to t if some silent steps, one a and
// some silent steps lead to t. This saturated system may have a quadratic
// number of transitions, and nothing is known that avoids it. But branching
// bisimilarity is finer and cheap, so we saturate its quotient, which seldom
// has many silent steps left.

/// All classes, reachable or not, become states under their own number.
Lts contract(const Lts& lts, const Partition& partition) {
  LtsBuilder builder(lts.labels());
  builder.ensure_states(partition.num_classes);
  const auto class_of = [&](State s) {
    return State(partition.class_of[s.index()]);
  };
  builder.set_initial(class_of(lts.initial()));
  for (std::uint32_t s = 0; s < lts.num_states(); ++s) {
    const State source = class_of(State(s));
    builder.set_kind(source, lts.kind(State(s)));
    for (const auto& [label, to] : lts.out(State(s))) {
      const State target = class_of(to);
      if (label == kTau && source == target) continue;
      builder.add_transition(source, label, target);
    }
  }
  return std::move(builder).build();
}

/// Computes the rows of the saturated system, one state at a time.
class Saturation {
 public:
  explicit Saturation(const Lts& lts) : lts_(lts), seen_(lts.num_states(), 0) {}

  /// The saturated transitions of a state, sorted by label.
  const std::vector<Transition>& row(State state);

 private:
  void start() {
    ++round_;
    found_.clear();
  }
  void visit(State state) {
    if (std::exchange(seen_[state.index()], round_) != round_) {
      found_.push_back(state);
    }
  }
  /// Adds to `found_` what is reached silently from there.
  void close();
  void emit(Label label);

  const Lts& lts_;
  std::vector<std::uint64_t> seen_;  // The round in which a state was met.
  std::uint64_t round_ = 0;
  std::vector<State> found_;
  std::vector<Transition> steps_;
  std::vector<Transition> row_;
};

void Saturation::close() {
  for (std::size_t i = 0; i < found_.size(); ++i) {
    for (const Transition& t : lts_.out(found_[i])) {
      if (t.label != kTau) break;  // kTau sorts first.
      visit(t.target);
    }
  }
}

void Saturation::emit(Label label) {
  for (const State state : found_) row_.push_back({label, state});
}

const std::vector<Transition>& Saturation::row(State state) {
  row_.clear();
  steps_.clear();
  start();
  visit(state);
  close();
  emit(kTau);
  for (const State s : found_) {
    for (const Transition& t : lts_.out(s)) {
      if (t.label != kTau) steps_.push_back(t);
    }
  }
  std::sort(steps_.begin(), steps_.end());
  for (std::size_t i = 0; i < steps_.size();) {
    const Label label = steps_[i].label;
    start();
    for (; i < steps_.size() && steps_[i].label == label; ++i) {
      visit(steps_[i].target);
    }
    close();
    emit(label);
  }
  return row_;
}

void check_limits(std::size_t transitions, support::Context& context) {
  if (const auto& reason = context.exhausted()) {
    throw support::InputError(
        fmt::format("the system is too large for weak bisimulation: {} after "
                    "{} saturated transitions",
                    *reason, transitions));
  }
  const std::size_t most = context.limits().max_states;
  if ((most != 0 && transitions > most) || transitions >= kNone) {
    throw support::InputError(
        fmt::format("the system is too large for weak bisimulation: it has "
                    "more than {} saturated transitions (--max-states raises "
                    "the limit)",
                    most));
  }
}

Lts saturate(const Lts& lts, support::Context& context) {
  LtsBuilder builder(lts.labels());
  builder.ensure_states(lts.num_states());
  builder.set_initial(lts.initial());
  Saturation saturation(lts);
  std::size_t transitions = 0;
  for (std::uint32_t s = 0; s < lts.num_states(); ++s) {
    builder.set_kind(State(s), lts.kind(State(s)));
    const std::vector<Transition>& row = saturation.row(State(s));
    for (const Transition& t : row) {
      builder.add_transition(State(s), t.label, t.target);
    }
    transitions += row.size();
    check_limits(transitions, context);
  }
  return std::move(builder).build(LtsBuilder::Duplicates::Keep);
}

}  // namespace

Partition weak_bisimulation(const Lts& lts, support::Context& context) {
  Partition result = branching_bisimulation(lts);
  const Lts contracted = contract(lts, result);
  bool silent = false;
  for (std::uint32_t s = 0; s < contracted.num_states(); ++s) {
    const auto out = contracted.out(State(s));
    silent = silent || (!out.empty() && out.front().label == kTau);
  }
  if (!silent) return result;  // Then the two relations are the same.
  const Partition coarser = strong_bisimulation(saturate(contracted, context));
  for (std::uint32_t& c : result.class_of) c = coarser.class_of[c];
  return partition_by_name(std::move(result.class_of));
}

}  // namespace agon::lts
