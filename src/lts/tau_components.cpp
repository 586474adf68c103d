// SPDX-License-Identifier: Apache-2.0
#include "lts/tau_components.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace agon::lts {
namespace {

// Tarjan's algorithm (1972) with an explicit stack, in Pearce's way: `low_` is
// the visit number at first, then the least one known to be reachable, and
// finally, when the component is complete, a number greater than all of those,
// so that later visitors ignore it. No other mark per state is needed.

class Components {
 public:
  explicit Components(const Lts& lts) : lts_(lts), low_(lts.num_states(), 0) {}

  Partition run() &&;

 private:
  struct Frame {
    std::uint32_t state;
    std::uint32_t edge;   // The next of its transitions to look at.
    std::uint32_t visit;  // Its visit number.
  };

  void search(std::uint32_t root);
  void open(std::uint32_t state);
  void close(const Frame& frame);

  const Lts& lts_;
  std::vector<std::uint32_t> low_;  // 0: not visited.
  std::vector<Frame> path_;
  std::vector<std::uint32_t> stack_;  // Visited, component incomplete.
  std::uint32_t visits_ = 0;
  std::uint32_t complete_ = std::numeric_limits<std::uint32_t>::max();
};

void Components::open(std::uint32_t state) {
  low_[state] = ++visits_;
  path_.push_back({state, 0, visits_});
  stack_.push_back(state);
}

void Components::close(const Frame& frame) {
  if (low_[frame.state] != frame.visit) return;  // Not the first of its own.
  std::uint32_t member;
  do {
    member = stack_.back();
    stack_.pop_back();
    low_[member] = complete_;
    --visits_;
  } while (member != frame.state);
  --complete_;
}

void Components::search(std::uint32_t root) {
  open(root);
  while (!path_.empty()) {
    const auto [state, edge, visit] = path_.back();
    const auto out = lts_.out(State(state));
    if (edge < out.size() && out[edge].label == kTau) {
      ++path_.back().edge;
      const std::uint32_t target = out[edge].target.value();
      if (lts_.kind(State(target)) != lts_.kind(State(state))) continue;
      if (low_[target] == 0) {
        open(target);
      } else {
        low_[state] = std::min(low_[state], low_[target]);
      }
      continue;
    }
    close(path_.back());
    path_.pop_back();
    if (path_.empty()) break;
    std::uint32_t& low = low_[path_.back().state];
    low = std::min(low, low_[state]);
  }
}

Partition Components::run() && {
  for (std::uint32_t s = 0; s < lts_.num_states(); ++s) {
    if (low_[s] == 0) search(s);
  }
  const auto most = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t& low : low_) low = most - low;
  return partition_by_name(std::move(low_));
}

}  // namespace

Partition tau_components(const Lts& lts) { return Components(lts).run(); }

}  // namespace agon::lts
