// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/digraph.h"
#include "support/error.h"

namespace agon::analysis {

namespace {

constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

// A shortest way from `start` back to it, by breadth-first search.
RecursiveCycle shortest_cycle(const CallGraph& graph, ir::FunctionId start) {
  std::vector<const CallSite*> reached_by(graph.num_functions(), nullptr);
  std::vector<ir::FunctionId> queue{start};
  for (std::size_t head = 0; reached_by[start.index()] == nullptr; ++head) {
    AGON_ASSERT(head < queue.size());
    for (const CallSite& call : graph.calls(queue[head])) {
      if (graph.component(call.callee) != graph.component(start)) continue;
      if (reached_by[call.callee.index()] != nullptr) continue;
      reached_by[call.callee.index()] = &call;
      queue.push_back(call.callee);
    }
  }
  RecursiveCycle cycle;
  ir::FunctionId at = start;
  do {
    cycle.calls.push_back(*reached_by[at.index()]);
    at = cycle.calls.back().caller;
  } while (at != start);
  std::reverse(cycle.calls.begin(), cycle.calls.end());
  return cycle;
}

}  // namespace

CallGraph::CallGraph(const ir::Program& program,
                     const std::function<bool(const CallSite&)>& include) {
  std::vector<ir::FunctionId> addressed;
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    if (program.functions[f].address.valid()) {
      addressed.push_back(ir::FunctionId::at(f));
    }
  }
  const auto add = [&](const CallSite& site) {
    if (!include || include(site)) sites_.push_back(site);
  };
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    first_.push_back(sites_.size());
    const ir::Function& function = program.functions[f];
    if (!function.has_body) continue;
    const auto edges = function.body.edges();
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto* call = std::get_if<ir::Call>(&edges[e].statement);
      if (call == nullptr) continue;
      CallSite site{ir::FunctionId::at(f), ir::EdgeId::at(e), call->callee,
                    edges[e].position, !call->callee.valid()};
      if (!site.through_pointer) {
        add(site);
        continue;
      }
      for (const ir::FunctionId target : addressed) {
        site.callee = target;
        add(site);
      }
    }
  }
  first_.push_back(sites_.size());
  find_components();
}

void CallGraph::find_components() {
  std::vector<Digraph::Arc> arcs;
  for (const CallSite& site : sites_) {
    arcs.emplace_back(site.caller.value(), site.callee.value());
  }
  StrongComponents components =
      strong_components(Digraph(num_functions(), arcs));
  members_.resize(components.count);
  recursive_.resize(components.count, false);
  component_ = std::move(components.of);
  for (std::size_t f = 0; f < num_functions(); ++f) {
    members_[component_[f]].push_back(ir::FunctionId::at(f));
  }
  for (std::size_t c = 0; c < members_.size(); ++c) {
    recursive_[c] = members_[c].size() > 1;
  }
  for (const CallSite& site : sites_) {
    if (site.caller == site.callee) recursive_[component(site.caller)] = true;
  }
}

std::vector<ir::FunctionId> CallGraph::reachable(ir::FunctionId entry) const {
  std::vector<bool> seen(num_functions(), false);
  std::vector<ir::FunctionId> result{entry};
  seen[entry.index()] = true;
  for (std::size_t head = 0; head < result.size(); ++head) {
    for (const CallSite& call : calls(result[head])) {
      if (seen[call.callee.index()]) continue;
      seen[call.callee.index()] = true;
      result.push_back(call.callee);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<RecursiveCycle> recursive_cycles(const CallGraph& graph,
                                             ir::FunctionId entry) {
  std::vector<RecursiveCycle> cycles;
  std::vector<bool> seen(graph.num_functions(), false);
  std::vector<bool> done(graph.num_components(), false);
  std::vector<ir::FunctionId> queue{entry};
  seen[entry.index()] = true;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const ir::FunctionId function = queue[head];
    const std::uint32_t component = graph.component(function);
    if (graph.is_recursive(function) && !done[component]) {
      done[component] = true;
      cycles.push_back(shortest_cycle(graph, function));
    }
    for (const CallSite& call : graph.calls(function)) {
      if (seen[call.callee.index()]) continue;
      seen[call.callee.index()] = true;
      queue.push_back(call.callee);
    }
  }
  return cycles;
}

std::string to_string(const ir::Program& program, const RecursiveCycle& cycle) {
  std::string text;
  for (const CallSite& call : cycle.calls) {
    text += program[call.caller].display;
    if (call.position.line != 0) {
      text += fmt::format(" ({}:{})", program.files[call.position.file.index()],
                          call.position.line);
    }
    text += " calls ";
  }
  text += program[cycle.calls.front().caller].display;
  return text;
}

}  // namespace agon::analysis
