// SPDX-License-Identifier: Apache-2.0
#include "refine/play.h"

#include <algorithm>

namespace agon::refine {
namespace {

Play::Node make_node(abstraction::AbstractProgram& model, ir::LocationId entry,
                     lts::State from, lts::Transition transition) {
  Play::Node node;
  node.is_start = !model.location(from).valid();
  node.cut = node.is_start ? entry : model.location(from);
  node.exit = model.exit(from, transition);
  node.before = model.literals(from);
  node.after = model.literals(transition.target);
  return node;
}

}  // namespace

bool Play::is_linear() const {
  return std::ranges::all_of(
      nodes, [](const Node& node) { return node.children.size() <= 1; });
}

std::optional<Play> unfold(const game::Strategy& strategy,
                           abstraction::AbstractProgram& model,
                           ir::LocationId entry, std::size_t max_nodes) {
  Play play;
  std::vector<std::uint32_t> origin;  // The strategy's node, by node.
  const auto add = [&](std::uint32_t index) {
    const game::Strategy::Node& from = strategy.nodes[index];
    play.nodes.push_back(
        make_node(model, entry, from.position.impl, from.challenge));
    play.nodes.back().spec = from.position.spec;
    origin.push_back(index);
    return static_cast<std::uint32_t>(play.nodes.size() - 1);
  };
  add(0);
  for (std::size_t i = 0; i < play.nodes.size(); ++i) {
    std::vector<std::uint32_t> children = strategy.nodes[origin[i]].children;
    std::ranges::sort(children);
    children.erase(std::unique(children.begin(), children.end()),
                   children.end());
    if (play.nodes.size() + children.size() > max_nodes) return std::nullopt;
    for (const std::uint32_t child : children) {
      const std::uint32_t added = add(child);
      play.nodes[i].children.push_back(added);
    }
  }
  return play;
}

Play unfold(std::span<const lts::Transition> steps,
            abstraction::AbstractProgram& model, ir::LocationId entry) {
  Play play;
  lts::State at = model.initial();
  for (const lts::Transition step : steps) {
    if (!play.nodes.empty()) {
      play.nodes.back().children = {
          static_cast<std::uint32_t>(play.nodes.size())};
    }
    play.nodes.push_back(make_node(model, entry, at, step));
    at = step.target;
  }
  return play;
}

}  // namespace agon::refine
