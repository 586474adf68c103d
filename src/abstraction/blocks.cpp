// SPDX-License-Identifier: Apache-2.0
#include "abstraction/blocks.h"

#include <algorithm>
#include <set>

#include "ir/fragment.h"
#include "support/error.h"
#include "term/substitute.h"

namespace agon::abstraction {

Blocks::Blocks(const ir::Program& program, ir::FunctionId function,
               BlockMode mode)
    : program_(program),
      body_(program[function].body),
      waiting_(body_.num_locations()),
      block_of_(body_.num_locations(), kNone) {
  std::vector<bool> cuts = find_cuts(mode);
  if (mode == BlockMode::Waiting) {
    find_waiting();
    for (std::size_t l = 0; l < cuts.size(); ++l) {
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

// A location with an action has no other edge. It is a place to wait at, except
// where a process chooses between actions: that is one place before the choice,
// or none if there is a silent way as well.
void Blocks::find_waiting() {
  std::vector<bool> is_offered(body_.edges().size());
  for (std::size_t i = 0; i < body_.edges().size(); ++i) {
    const auto* const havoc =
        std::get_if<ir::Havoc>(&body_.edges()[i].statement);
    if (havoc == nullptr || havoc->source != ir::kProcessChoice) continue;
    const auto ways = ways_after(ir::EdgeId::at(i));
    if (!ways) {
      has_unclear_choice_ = true;
      continue;
    }
    if (!ways->has_silent) waiting_[body_.edges()[i].from.index()] = true;
    for (const ir::EdgeId edge : ways->actions) {
      is_offered[edge.index()] = true;
    }
  }
  for (std::size_t i = 0; i < body_.edges().size(); ++i) {
    if (is_offered[i] || !action(ir::EdgeId::at(i)).valid()) continue;
    waiting_[body_.edges()[i].from.index()] = true;
  }
}

/// Nothing if it is not clear.
std::optional<Blocks::Ways> Blocks::ways_after(ir::EdgeId choice) const {
  Ways ways;
  std::set<ir::VariableId> chosen{
      std::get<ir::Havoc>(body_.edge(choice).statement).target};
  const auto is_about_choice = [&](term::Term value) {
    const auto variables = term::variables_of(value);
    return !variables.empty() &&
           std::ranges::all_of(variables, [&](term::Term each) {
             return chosen.contains(program_.variable_of(each));
           });
  };
  std::vector<bool> inside(body_.num_locations());
  std::vector<ir::LocationId> open{body_.edge(choice).to};
  inside[open.front().index()] = true;
  while (!open.empty()) {
    const ir::LocationId at = open.back();
    open.pop_back();
    if (body_.out_edges(at).empty()) ways.has_silent = true;
    for (const ir::EdgeId id : body_.out_edges(at)) {
      const ir::Edge& edge = body_.edge(id);
      const auto* const assume = std::get_if<ir::Assume>(&edge.statement);
      const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
      if (action(id).valid()) {
        ways.actions.push_back(id);
        continue;
      }
      const bool goes_on =
          (assume != nullptr && is_about_choice(assume->condition)) ||
          (assign != nullptr && is_about_choice(assign->value));
      if (!goes_on) {
        ways.has_silent = true;
        continue;
      }
      if (assign != nullptr) chosen.insert(assign->target);
      if (inside[edge.to.index()]) continue;
      inside[edge.to.index()] = true;
      open.push_back(edge.to);
    }
  }
  for (std::size_t i = 0; i < body_.edges().size(); ++i) {
    const ir::Edge& edge = body_.edges()[i];
    const bool enters = inside[edge.to.index()] && !inside[edge.from.index()];
    if (enters && ir::EdgeId::at(i) != choice) return std::nullopt;
  }
  return ways;
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
