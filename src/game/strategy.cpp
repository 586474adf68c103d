// SPDX-License-Identifier: Apache-2.0
#include "game/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace agon::game {
namespace {

using lts::Label;
using lts::State;
using lts::Transition;

using States = std::set<State>;

std::vector<Transition> moves_of(lts::Successors& system, State state) {
  const auto out = system.expand(state);
  return {out.begin(), out.end()};
}

States after(lts::Successors& system, const States& from, Label label) {
  States result;
  for (const State state : from) {
    for (const Transition& t : moves_of(system, state)) {
      if (t.label == label) result.insert(t.target);
    }
  }
  return result;
}

States silent_closure(lts::Successors& system, States states) {
  for (;;) {
    const std::size_t before = states.size();
    states.merge(after(system, states, lts::kTau));
    if (states.size() == before) return states;
  }
}

States responses(lts::Successors& spec, State from, Label label,
                 Semantics semantics) {
  if (semantics == Semantics::Strong) return after(spec, {from}, label);
  const States closed = silent_closure(spec, {from});
  if (label == lts::kTau) return closed;
  return silent_closure(spec, after(spec, closed, label));
}

}  // namespace

bool is_finite(const Strategy& strategy) {
  const std::size_t size = strategy.nodes.size();
  std::vector<std::uint32_t> parents(size, 0);
  for (const Strategy::Node& node : strategy.nodes) {
    for (const std::uint32_t child : node.children) {
      if (child >= size) return false;
      ++parents[child];
    }
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (parents[i] == 0) free.push_back(i);
  }
  for (std::size_t head = 0; head < free.size(); ++head) {
    for (const std::uint32_t child : strategy.nodes[free[head]].children) {
      if (--parents[child] == 0) free.push_back(child);
    }
  }
  return free.size() == size;
}

namespace {

std::optional<std::string> refute_node(const Strategy& strategy,
                                       const Strategy::Node& node,
                                       lts::Successors& impl,
                                       lts::Successors& spec,
                                       Semantics semantics) {
  const auto moves = moves_of(impl, node.position.impl);
  if (std::ranges::find(moves, node.challenge) == moves.end()) {
    return "a challenge is not a move of the implementation";
  }
  const States expected =
      responses(spec, node.position.spec, node.challenge.label, semantics);
  States given;
  for (const std::uint32_t child : node.children) {
    const Position position = strategy.nodes[child].position;
    if (position.impl != node.challenge.target) {
      return "C2: after a response the implementation is not where its "
             "challenge took it";
    }
    if (!expected.contains(position.spec)) {
      return "C2: a child is not a response to the challenge";
    }
    given.insert(position.spec);
  }
  if (semantics == Semantics::Weak) given = silent_closure(spec, given);
  if (given != expected) {
    return expected.empty() || !node.children.empty()
               ? "C2: a response has no child"
               : "C3: a leaf's challenge can be answered";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> refute(const Strategy& strategy, Position start,
                                  lts::Successors& impl, lts::Successors& spec,
                                  Semantics semantics) {
  if (strategy.nodes.empty()) return "the tree is empty";
  if (strategy.nodes.front().position != start) {
    return "C1: the root is not the initial position";
  }
  if (!is_finite(strategy)) return "the tree is not finite";
  for (std::size_t i = 0; i < strategy.nodes.size(); ++i) {
    if (auto why =
            refute_node(strategy, strategy.nodes[i], impl, spec, semantics)) {
      return fmt::format("node {}: {}", i, *why);
    }
  }
  return std::nullopt;
}

}  // namespace agon::game
