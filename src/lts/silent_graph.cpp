// SPDX-License-Identifier: Apache-2.0
#include "lts/silent_graph.h"

namespace agon::lts {
namespace {

/// Turns numbers of items into the places where they end.
void accumulate(std::vector<std::uint32_t>& counts) {
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

}  // namespace

SilentGraph::SilentGraph(const Lts& lts, const Partition& components)
    : kind_(components.num_classes) {
  for (std::uint32_t s = 0; s < lts.num_states(); ++s) {
    kind_[components.class_of[s]] = lts.kind(State(s));
  }
  collect(lts, components);
  reverse();
}

// Both directions are filled by counting sort from the back: the entries that
// should come first are put in last.

void SilentGraph::collect(const Lts& lts, const Partition& components) {
  const auto for_each = [&](const auto& use) {
    for (std::uint32_t s = 0; s < lts.num_states(); ++s) {
      const std::uint32_t source = components.class_of[s];
      for (const auto& [label, to] : lts.out(State(s))) {
        const std::uint32_t target = components.class_of[to.index()];
        const bool silent = label == kTau && kind_[source] == kind_[target];
        if (silent && source == target) continue;
        use(source, label, target, silent);
      }
    }
  };
  using Number = std::uint32_t;
  first_out_.assign(num_states() + 1, 0);
  for_each([&](Number source, Label, Number, bool) { ++first_out_[source]; });
  accumulate(first_out_);
  const std::uint32_t m = first_out_.back();
  edges_.resize(m);
  label_.resize(m);
  const auto put = [&](Number source, Label label, Number target) {
    const std::uint32_t place = --first_out_[source];
    edges_[place] = {source, target};
    label_[place] = label;
  };
  for_each([&](Number source, Label label, Number target, bool silent) {
    if (!silent) put(source, label, target);
  });
  end_out_.assign(first_out_.begin(), first_out_.end() - 1);
  for_each([&](Number source, Label label, Number target, bool silent) {
    if (silent) put(source, label, target);
  });
}

void SilentGraph::reverse() {
  const std::uint32_t m = num_transitions();
  first_in_.assign(num_states() + 1, 0);
  in_.resize(m);
  for (std::uint32_t t = 0; t < m; ++t) ++first_in_[target(t)];
  accumulate(first_in_);
  for (std::uint32_t t = m; t-- > 0;) {
    if (!fleeting(t)) in_[--first_in_[target(t)]] = {t, source(t)};
  }
  end_in_.assign(first_in_.begin(), first_in_.end() - 1);
  for (std::uint32_t t = m; t-- > 0;) {
    if (fleeting(t)) in_[--first_in_[target(t)]] = {t, source(t)};
  }
}

}  // namespace agon::lts
