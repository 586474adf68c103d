// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "lts/bisimulation.h"

namespace agon::lts {

// A class has the transitions of all its members. For strong bisimilarity one
// member would do, but in the other cases a member may rely on its silent steps
// to others for what these can do.

Quotient quotient_with_image(const Lts& lts, const Partition& partition,
                             Inert inert) {
  LtsBuilder builder(lts.labels());
  const std::vector<State> order = reachable(lts);
  std::vector<State> number(partition.num_classes);
  for (const State state : order) {
    State& ours = number[partition.class_of[state.index()]];
    if (!ours.valid()) ours = builder.add_state(lts.kind(state));
  }
  builder.set_initial(State(0));
  std::size_t transitions = 0;
  for (const State state : order) transitions += lts.out(state).size();
  builder.reserve_transitions(transitions);
  for (const State state : order) {
    const State source = number[partition.class_of[state.index()]];
    for (const auto& [label, to] : lts.out(state)) {
      const State target = number[partition.class_of[to.index()]];
      if (inert == Inert::Drop && label == kTau && source == target) continue;
      builder.add_transition(source, label, target);
    }
  }
  for (const Label label : lts.alphabet()) builder.extend_alphabet(label);
  std::vector<State> image(lts.num_states());
  for (const State state : order) {
    image[state.index()] = number[partition.class_of[state.index()]];
  }
  return {std::move(builder).build(), std::move(image)};
}

Lts quotient(const Lts& lts, const Partition& partition, Inert inert) {
  return quotient_with_image(lts, partition, inert).lts;
}

}  // namespace agon::lts
