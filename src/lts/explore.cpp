// SPDX-License-Identifier: Apache-2.0
#include "lts/explore.h"

#include <fmt/format.h>

#include <vector>

#include "support/error.h"

namespace agon::lts {
namespace {

/// A breadth-first search that can be given up.
class Exploration {
 public:
  explicit Exploration(Successors& system)
      : system_(system), builder_(system.labels()) {
    builder_.set_initial(visit(system.initial()));
  }

  std::size_t num_states() const { return order_.size(); }
  bool is_done() const { return next_ == order_.size(); }

  void step() {
    const State source = number_[order_[next_].index()];
    for (const Transition& t : system_.expand(order_[next_])) {
      builder_.add_transition(source, t.label, visit(t.target));
    }
    ++next_;
  }

  Explored finish(support::Context& context) && {
    for (const Label label : system_.alphabet()) {
      builder_.extend_alphabet(label);
    }
    context.statistics()["lts.explored_states"] += order_.size();
    return {std::move(builder_).build(), std::move(order_)};
  }

 private:
  State visit(State state) {
    if (number_.size() <= state.index()) number_.resize(state.index() + 1);
    State& ours = number_[state.index()];
    if (!ours.valid()) {
      ours = builder_.add_state(system_.kind(state));
      order_.push_back(state);
    }
    return ours;
  }

  Successors& system_;
  LtsBuilder builder_;
  std::vector<State> number_;  // From the system's numbers to ours.
  std::vector<State> order_;
  std::size_t next_ = 0;
};

void check_limits(std::size_t states, support::Context& context) {
  if (const auto& reason = context.exhausted()) {
    throw support::InputError(
        fmt::format("the system is too large to build: {} after {} states",
                    *reason, states));
  }
  if (states > context.limits().max_states) {
    throw support::InputError(
        fmt::format("the system is too large to build: it has more than {} "
                    "states (--max-states raises the limit)",
                    context.limits().max_states));
  }
}

}  // namespace

Explored explore_traced(Successors& system, support::Context& context) {
  Exploration exploration(system);
  while (!exploration.is_done()) {
    check_limits(exploration.num_states(), context);
    exploration.step();
  }
  check_limits(exploration.num_states(), context);
  return std::move(exploration).finish(context);
}

Lts explore(Successors& system, support::Context& context) {
  return explore_traced(system, context).lts;
}

std::optional<Explored> explore_at_most(std::size_t max_states,
                                        Successors& system,
                                        support::Context& context) {
  Exploration exploration(system);
  while (!exploration.is_done()) {
    if (exploration.num_states() > max_states || context.exhausted()) {
      return std::nullopt;
    }
    exploration.step();
  }
  if (context.exhausted()) return std::nullopt;
  return std::move(exploration).finish(context);
}

}  // namespace agon::lts
