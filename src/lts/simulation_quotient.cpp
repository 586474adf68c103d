// SPDX-License-Identifier: Apache-2.0
#include "lts/simulation_quotient.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lts/bisimulation.h"
#include "lts/simulation_preorder.h"

namespace agon::lts {
namespace {

// The quotient keeps, for each class and label, only the greatest targets. All
// members of a class agree on those: if s and t simulate each other and s' is a
// greatest a-successor of s, then t has one above it, and s one above that,
// which has to be equivalent to s' again. So one member speaks for its class.
// (Bustan and Grumberg 2003, who show that this system is unique.)

/// The first state that is equivalent to each state.
std::vector<std::uint32_t> representatives(const BitMatrix& simulated_by,
                                           std::size_t n) {
  std::vector<std::uint32_t> result(n);
  for (std::uint32_t s = 0; s < n; ++s) {
    result[s] = s;
    bool found = false;
    for_each_bit(simulated_by.row(s), [&](std::uint32_t t) {
      if (found || t > s || !simulated_by.test(t, s)) return;
      result[s] = t;
      found = true;
    });
  }
  return result;
}

class Reduction {
 public:
  Reduction(const Lts& lts, const BitMatrix& simulated_by)
      : lts_(lts),
        simulated_by_(simulated_by),
        representative_(representatives(simulated_by, lts.num_states())),
        number_(lts.num_states()),
        builder_(lts.labels()) {}

  Lts run() &&;

 private:
  State visit(State state);
  void add_greatest(State source, std::span<const Transition> same_label);

  const Lts& lts_;
  const BitMatrix& simulated_by_;
  const std::vector<std::uint32_t> representative_;
  std::vector<State> number_;  // Of representatives.
  std::vector<State> order_;
  LtsBuilder builder_;
};

State Reduction::visit(State state) {
  const State chosen(representative_[state.index()]);
  State& number = number_[chosen.index()];
  if (!number.valid()) {
    number = builder_.add_state(lts_.kind(chosen));
    order_.push_back(chosen);
  }
  return number;
}

void Reduction::add_greatest(State source,
                             std::span<const Transition> same_label) {
  for (const auto& [label, target] : same_label) {
    const bool surpassed =
        std::ranges::any_of(same_label, [&](const Transition& other) {
          const std::size_t t = target.index();
          const std::size_t u = other.target.index();
          return simulated_by_.test(t, u) && !simulated_by_.test(u, t);
        });
    if (!surpassed) builder_.add_transition(source, label, visit(target));
  }
}

Lts Reduction::run() && {
  builder_.set_initial(visit(lts_.initial()));
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const auto out = lts_.out(order_[i]);
    for (std::size_t begin = 0; begin < out.size();) {
      std::size_t end = begin;
      while (end < out.size() && out[end].label == out[begin].label) ++end;
      add_greatest(State(i), out.subspan(begin, end - begin));
      begin = end;
    }
  }
  for (const Label label : lts_.alphabet()) builder_.extend_alphabet(label);
  return std::move(builder_).build();
}

}  // namespace

Lts minimise_by_simulation(const Lts& lts, support::Context& context) {
  const Lts small = quotient(lts, strong_bisimulation(lts), Inert::Keep);
  return Reduction(small, simulation_preorder(small, context)).run();
}

Lts minimise_by_traces(const Lts& lts, Silent silent,
                       support::Context& context) {
  const Lts deterministic = determinise(lts, silent, context);
  return quotient(deterministic, strong_bisimulation(deterministic),
                  Inert::Keep);
}

}  // namespace agon::lts
