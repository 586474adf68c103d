// SPDX-License-Identifier: Apache-2.0
#include "lts/explore.h"

#include <fmt/format.h>

#include <vector>

#include "support/error.h"

namespace agon::lts {
namespace {

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

Lts explore(Successors& system, support::Context& context) {
  LtsBuilder builder(system.labels());
  std::vector<State> number;  // From the system's numbers to ours.
  std::vector<State> order;
  const auto visit = [&](State state) {
    if (number.size() <= state.index()) number.resize(state.index() + 1);
    State& ours = number[state.index()];
    if (!ours.valid()) {
      ours = builder.add_state(system.kind(state));
      order.push_back(state);
    }
    return ours;
  };

  builder.set_initial(visit(system.initial()));
  for (std::size_t head = 0; head < order.size(); ++head) {
    check_limits(order.size(), context);
    const State source = number[order[head].index()];
    for (const Transition& t : system.expand(order[head])) {
      builder.add_transition(source, t.label, visit(t.target));
    }
  }
  for (const Label label : system.alphabet()) builder.extend_alphabet(label);
  context.statistics()["lts.explored_states"] += order.size();
  return std::move(builder).build();
}

}  // namespace agon::lts
