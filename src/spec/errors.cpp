// SPDX-License-Identifier: Apache-2.0
#include "spec/errors.h"

#include <span>
#include <utility>

#include "ir/actions.h"
#include "lts/forbid.h"

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

std::shared_ptr<const lts::Lts> no_error() {
  return std::make_shared<const lts::Lts>(
      no_error(std::make_shared<lts::LabelTable>()));
}

std::shared_ptr<const lts::Lts> without(const lts::Lts& spec,
                                        const std::string& action) {
  return std::make_shared<const lts::Lts>(
      lts::forbid(spec, std::span(&action, 1)));
}

std::shared_ptr<const lts::Lts> without_errors(const lts::Lts& spec) {
  return without(spec, ir::kError);
}

}  // namespace agon::spec
