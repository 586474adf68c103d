// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "support/error.h"

namespace agon::analysis {

namespace {

constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

bool same_width(term::Sort a, term::Sort b) {
  return a.kind == b.kind && a.width == b.width;
}

// Tarjan's algorithm (1972) with an explicit stack. It closes a component after
// all those that it leads to, which is the order that is promised.
class Components {
 public:
  explicit Components(const CallGraph& graph)
      : graph_(graph),
        number_(graph.num_functions(), kNone),
        low_(graph.num_functions(), 0),
        component_(graph.num_functions(), kNone) {
    for (std::uint32_t f = 0; f < number_.size(); ++f) {
      if (number_[f] == kNone) visit(f);
    }
  }

  std::vector<std::uint32_t> component() && { return std::move(component_); }
  std::uint32_t count() const { return count_; }

 private:
  struct Frame {
    std::uint32_t function;
    std::size_t next_call;
  };

  void open(std::uint32_t function) {
    number_[function] = low_[function] = next_number_++;
    open_.push_back(function);
    frames_.push_back({function, 0});
  }

  void visit(std::uint32_t start) {
    open(start);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t f = frame.function;
      const auto calls = graph_.calls(ir::FunctionId(f));
      if (frame.next_call < calls.size()) {
        const std::uint32_t callee = calls[frame.next_call++].callee.value();
        if (number_[callee] == kNone) {
          open(callee);
        } else if (component_[callee] == kNone) {
          low_[f] = std::min(low_[f], number_[callee]);
        }
        continue;
      }
      frames_.pop_back();
      if (low_[f] == number_[f]) close(f);
      if (!frames_.empty()) {
        std::uint32_t& outer = low_[frames_.back().function];
        outer = std::min(outer, low_[f]);
      }
    }
  }

  void close(std::uint32_t root) {
    std::uint32_t member = kNone;
    do {
      member = open_.back();
      open_.pop_back();
      component_[member] = count_;
    } while (member != root);
    ++count_;
  }

  const CallGraph& graph_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> component_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> frames_;
  std::uint32_t next_number_ = 0;
  std::uint32_t count_ = 0;
};

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

bool may_reach(const ir::Program& program, const ir::Call& call,
               ir::FunctionId id) {
  const ir::Function& function = program[id];
  if (!function.address.valid()) return false;
  const bool variadic =
      function.type.valid() && program.types[function.type].is_variadic;
  const std::size_t taken = function.parameters.size();
  // Without a body, parameters may not be known.
  if (!function.has_body && taken == 0) return true;
  if (variadic ? call.arguments.size() < taken
               : call.arguments.size() != taken) {
    return false;
  }
  for (std::size_t i = 0; i < taken; ++i) {
    const term::Term parameter = program[function.parameters[i]].term;
    if (!same_width(parameter.sort(), call.arguments[i].sort())) return false;
  }
  return call.results.empty() || call.results.size() == function.results.size();
}

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
        if (!may_reach(program, *call, target)) continue;
        site.callee = target;
        add(site);
      }
    }
  }
  first_.push_back(sites_.size());
  find_components();
}

void CallGraph::find_components() {
  Components components(*this);
  members_.resize(components.count());
  recursive_.resize(components.count(), false);
  component_ = std::move(components).component();
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
