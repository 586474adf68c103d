// SPDX-License-Identifier: Apache-2.0
#include "spec/errors.h"

#include <utility>

#include "ir/actions.h"

namespace agon::spec {

const std::array<std::string, 5> kErrorRoutines = {
    "reach_error", "__VERIFIER_error", "__assert_fail", "__assert",
    "__agon_overflow"};

const std::array<std::string, 1> kOverflowRoutine = {"__agon_overflow"};

lts::Lts no_error(const lts::SharedLabels& labels) {
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  builder.extend_alphabet(labels->intern(ir::kError));
  return std::move(builder).build();
}

std::shared_ptr<const lts::Lts> without_errors(const lts::Lts& spec) {
  lts::LtsBuilder builder(spec.labels());
  builder.ensure_states(spec.num_states());
  builder.set_initial(spec.initial());
  for (std::size_t i = 0; i < spec.num_states(); ++i) {
    for (const lts::Transition t : spec.out(lts::State::at(i))) {
      builder.add_transition(lts::State::at(i), t.label, t.target);
    }
  }
  for (const lts::Label label : spec.alphabet()) builder.extend_alphabet(label);
  builder.extend_alphabet(spec.labels()->intern(ir::kError));
  return std::make_shared<const lts::Lts>(std::move(builder).build());
}

}  // namespace agon::spec
