// SPDX-License-Identifier: Apache-2.0
#include "helpers/random_lts.h"

#include <cstdlib>
#include <string>
#include <utility>

namespace agon::test {
namespace {

double unit(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

lts::Label visible(const lts::SharedLabels& labels, std::size_t index) {
  return labels->intern(std::string(1, static_cast<char>('a' + index)));
}

}  // namespace

std::size_t below(Random& random, std::size_t bound) {
  return static_cast<std::size_t>(random() % bound);
}

lts::Lts random_lts(Random& random, const lts::SharedLabels& labels,
                    const RandomShape& shape) {
  lts::LtsBuilder builder(labels);
  const std::size_t states = 1 + below(random, shape.max_states);
  const std::size_t visible_labels = 1 + below(random, shape.max_labels);
  const double most = shape.density * static_cast<double>(states);
  const auto transitions =
      static_cast<std::size_t>(unit(random) * most + unit(random));
  builder.ensure_states(states);
  builder.set_initial(lts::State::at(below(random, states)));
  for (std::size_t i = 0; i < transitions; ++i) {
    const lts::Label label =
        unit(random) < shape.silent
            ? lts::kTau
            : visible(labels, below(random, visible_labels));
    builder.add_transition(lts::State::at(below(random, states)), label,
                           lts::State::at(below(random, states)));
  }
  return std::move(builder).build();
}

lts::Lts mutate(Random& random, const lts::Lts& lts) {
  lts::LtsBuilder builder(lts.labels());
  const std::size_t states = lts.num_states() + below(random, 2);
  builder.ensure_states(states);
  builder.set_initial(lts.initial());
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    const lts::State source = lts::State::at(i);
    for (const lts::Transition& t : lts.out(source)) {
      const std::size_t dice = below(random, 12);
      if (dice == 0) continue;
      const lts::State target =
          dice == 1 ? lts::State::at(below(random, states)) : t.target;
      builder.add_transition(source, t.label, target);
      if (dice == 2) {
        builder.add_transition(source, t.label,
                               lts::State::at(below(random, states)));
      }
    }
  }
  return std::move(builder).build();
}

std::size_t scaled(std::size_t base) {
  const char* const scale = std::getenv("AGON_TEST_SCALE");
  return scale == nullptr ? base : base * std::strtoull(scale, nullptr, 10);
}

std::size_t first_case() {
  const char* const first = std::getenv("AGON_TEST_FIRST");
  return first == nullptr ? 0 : std::strtoull(first, nullptr, 10);
}

}  // namespace agon::test
