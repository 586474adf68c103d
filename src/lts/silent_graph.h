// SPDX-License-Identifier: Apache-2.0
/// A system without silent cycles, with its transitions in both directions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lts/lts.h"
#include "lts/partition.h"

namespace agon::lts {

/// What remains if each component of silent steps is one state. Transitions
/// have numbers; those of a state are side by side, the fleeting ones first. A
/// step is fleeting if it is silent and does not change the kind: only these
/// can be inert. They form no cycle, and none is a loop.
class SilentGraph {
 public:
  struct Entering {
    std::uint32_t transition;
    std::uint32_t source;  // Of the transition; kept here to be near at hand.
  };

  SilentGraph(const Lts& lts, const Partition& components);

  std::uint32_t num_states() const {
    return static_cast<std::uint32_t>(kind_.size());
  }
  std::uint32_t num_transitions() const {
    return static_cast<std::uint32_t>(edges_.size());
  }
  StateKind kind(std::uint32_t state) const { return kind_[state]; }
  std::uint32_t source(std::uint32_t t) const { return edges_[t].source; }
  std::uint32_t target(std::uint32_t t) const { return edges_[t].target; }

  /// The transitions of a state are first_out(s), …, first_out(s + 1) - 1.
  std::uint32_t first_out(std::uint32_t s) const { return first_out_[s]; }
  std::uint32_t end_fleeting(std::uint32_t s) const { return end_out_[s]; }

  /// The transitions into a state.
  std::span<const Entering> in(std::uint32_t s) const {
    return {in_.data() + first_in_[s], in_.data() + first_in_[s + 1]};
  }
  std::span<const Entering> fleeting_in(std::uint32_t s) const {
    return {in_.data() + first_in_[s], in_.data() + end_in_[s]};
  }
  bool fleeting(std::uint32_t t) const {
    return t < end_out_[edges_[t].source];
  }

  /// The label of each transition. They are needed in the beginning only.
  const std::vector<Label>& labels() const { return label_; }
  void forget_labels() { std::vector<Label>().swap(label_); }

 private:
  struct Edge {
    std::uint32_t source;
    std::uint32_t target;
  };

  void collect(const Lts& lts, const Partition& components);
  void reverse();

  std::vector<StateKind> kind_;
  std::vector<std::uint32_t> first_out_;
  std::vector<std::uint32_t> end_out_;
  std::vector<Edge> edges_;
  std::vector<Label> label_;
  std::vector<std::uint32_t> first_in_;
  std::vector<std::uint32_t> end_in_;
  std::vector<Entering> in_;
};

}  // namespace agon::lts
