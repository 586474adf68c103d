// SPDX-License-Identifier: Apache-2.0
#include "game/trace_masks.h"

#include <algorithm>

namespace agon::game {

using lts::State;
using lts::Transition;

namespace {

bool is_free(Transition t, Semantics semantics) {
  return semantics == Semantics::Weak && t.label == lts::kTau;
}

}  // namespace

TraceMasks::TraceMasks(const lts::Lts& lts, Semantics semantics)
    : masks_(lts.num_states(), Masks{}) {
  const std::size_t n = lts.num_states();
  if (semantics == Semantics::Weak) {
    first_.assign(n + 2, 0);
    for (const Transition& t : lts.transitions()) {
      if (t.label == lts::kTau) ++first_[t.target.index() + 2];
    }
    for (std::size_t s = 0; s < n; ++s) first_[s + 2] += first_[s + 1];
    sources_.resize(first_[n + 1]);
    for (std::size_t s = 0; s < n; ++s) {
      for (const Transition& t : lts.out(State::at(s))) {
        if (t.label != lts::kTau) break;
        sources_[first_[t.target.index() + 1]++] = State::at(s);
      }
    }
  }
  for (unsigned depth = 1; depth <= kDepth; ++depth) {
    for (std::size_t s = 0; s < n; ++s) {
      std::uint64_t mask = 0;
      for (const Transition& t : lts.out(State::at(s))) {
        if (!is_free(t, semantics)) mask |= after(t, depth);
      }
      masks_[s][depth - 1] = mask;
    }
    if (semantics == Semantics::Weak) close_silently(lts, depth);
  }
  std::vector<std::uint32_t>().swap(first_);
  std::vector<State>().swap(sources_);
}

std::size_t TraceMasks::num_distinct() const {
  std::vector<Masks> sorted = masks_;
  std::sort(sorted.begin(), sorted.end());
  const auto end = std::unique(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(end - sorted.begin());
}

/// Gives every state the traces of the states it reaches silently.
void TraceMasks::close_silently(const lts::Lts& lts, unsigned depth) {
  std::vector<State> changed;
  for (std::size_t s = lts.num_states(); s-- > 0;) {
    changed.push_back(State::at(s));
    while (!changed.empty()) {
      const State target = changed.back();
      changed.pop_back();
      const std::uint64_t gained = masks_[target.index()][depth - 1];
      for (std::uint32_t i = first_[target.index()];
           i < first_[target.index() + 1]; ++i) {
        std::uint64_t& mask = masks_[sources_[i].index()][depth - 1];
        if ((gained & ~mask) == 0) continue;
        mask |= gained;
        changed.push_back(sources_[i]);
      }
    }
  }
}

}  // namespace agon::game
