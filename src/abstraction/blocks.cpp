// SPDX-License-Identifier: Apache-2.0
#include "abstraction/blocks.h"

#include <algorithm>

#include "ir/waiting.h"
#include "support/error.h"

namespace agon::abstraction {

Blocks::Blocks(const ir::Program& program, ir::FunctionId function,
               BlockMode mode)
    : program_(program),
      body_(program[function].body),
      waiting_(body_.num_locations()),
      block_of_(body_.num_locations(), kNone) {
  std::vector<bool> cuts = find_cuts(mode);
  if (mode == BlockMode::Waiting) {
    const ir::Waiting found = ir::find_waiting(program, body_);
    has_unclear_choice_ = found.has_unclear_choice;
    for (std::size_t l = 0; l < cuts.size(); ++l) {
      waiting_[l] = found.offers[l].has_value();
      cuts[l] = cuts[l] || waiting_[l];
    }
  }
  std::uint32_t count = 0;
  for (std::size_t l = 0; l < cuts.size(); ++l) {
    if (cuts[l]) block_of_[l] = count++;
  }
  blocks_.reserve(count);
  for (std::size_t l = 0; l < cuts.size(); ++l) {
    if (cuts[l]) blocks_.push_back(make_block(ir::LocationId::at(l)));
  }
}

ir::FunctionId Blocks::action(ir::EdgeId edge) const {
  const auto* const call = std::get_if<ir::Call>(&body_.edge(edge).statement);
  return call != nullptr ? call->callee : ir::FunctionId();
}

// Targets of the back edges of a depth-first search meet every cycle.
std::vector<bool> Blocks::find_cuts(BlockMode mode) const {
  std::vector<bool> cuts(body_.num_locations(), mode == BlockMode::Single);
  cuts[body_.entry().index()] = true;
  enum class Mark : std::uint8_t { New, Open, Done };
  std::vector<Mark> marks(body_.num_locations(), Mark::New);
  std::vector<std::pair<ir::LocationId, std::size_t>> stack;
  const auto open = [&](ir::LocationId location) {
    marks[location.index()] = Mark::Open;
    stack.emplace_back(location, 0);
  };
  open(body_.entry());
  while (!stack.empty()) {
    auto& [location, next] = stack.back();
    const auto out = body_.out_edges(location);
    if (next == out.size()) {
      marks[location.index()] = Mark::Done;
      stack.pop_back();
      continue;
    }
    const ir::EdgeId id = out[next++];
    const ir::LocationId to = body_.edge(id).to;
    if (action(id).valid()) cuts[to.index()] = true;
    if (marks[to.index()] == Mark::Open) cuts[to.index()] = true;
    if (marks[to.index()] == Mark::New) open(to);
  }
  return cuts;
}

Block Blocks::make_block(ir::LocationId start) const {
  Block block;
  block.start = start;
  const auto leaves = [&](ir::EdgeId id) {
    return is_cut(body_.edge(id).to) || action(id).valid();
  };
  // Depth first; what is finished last comes first.
  std::vector<bool> seen(body_.num_locations());
  std::vector<std::pair<ir::LocationId, std::size_t>> stack{{start, 0}};
  seen[start.index()] = true;
  while (!stack.empty()) {
    auto& [location, next] = stack.back();
    const auto out = body_.out_edges(location);
    if (next == out.size()) {
      block.order.push_back(location);
      stack.pop_back();
      continue;
    }
    const ir::EdgeId id = out[next++];
    const ir::LocationId to = body_.edge(id).to;
    if (leaves(id) || seen[to.index()]) continue;
    seen[to.index()] = true;
    stack.emplace_back(to, 0);
  }
  std::ranges::reverse(block.order);
  for (const ir::LocationId location : block.order) {
    for (const ir::EdgeId id : body_.out_edges(location)) {
      if (leaves(id)) block.exits.push_back(id);
    }
  }
  return block;
}

}  // namespace agon::abstraction
