// SPDX-License-Identifier: Apache-2.0
#include "analysis/reaching_definitions.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "random_calls.h"

namespace agon::analysis {
namespace {

using Value = ReachingDefinitions::Value;

unsigned below(std::mt19937& random, unsigned n) {
  return static_cast<unsigned>(random() % n);
}

/// The definitions and start values that a value may be.
std::set<Value> sources(const ReachingDefinitions& reaching, Value value) {
  std::set<Value> seen{value};
  std::vector<Value> work{value};
  std::set<Value> result;
  while (!work.empty()) {
    const Value at = work.back();
    work.pop_back();
    bool is_merge = false;
    for (const auto& [merge, operand] : reaching.merges) {
      if (merge != at) continue;
      is_merge = true;
      if (seen.insert(operand).second) work.push_back(operand);
    }
    if (!is_merge) result.insert(at);
  }
  return result;
}

/// The same by the definition: what is found going backwards from a node.
std::set<Value> naive_sources(const Digraph& graph, const Accesses& accesses,
                              const ReachingDefinitions& reaching, Node node,
                              std::uint32_t variable,
                              const std::vector<bool>& reached) {
  const Digraph predecessors = graph.reversed();
  std::set<Value> result;
  std::vector<bool> seen(graph.size(), false);
  std::vector<Node> work{node};
  while (!work.empty()) {
    const Node at = work.back();
    work.pop_back();
    if (at == 0) result.insert(variable);
    for (const Node before : predecessors.successors(at)) {
      if (!reached[before]) continue;
      const auto& defined = accesses.definitions[before];
      const auto found = std::ranges::find(defined, variable);
      if (found != defined.end()) {
        const auto index = static_cast<std::size_t>(found - defined.begin());
        result.insert(reaching.definitions[before][index]);
      } else if (!seen[before]) {
        seen[before] = true;
        work.push_back(before);
      }
    }
  }
  return result;
}

TEST(ReachingDefinitions, AgreeWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(11);
  for (unsigned round = 0; round < test::scaled(1000); ++round) {
    SCOPED_TRACE(round);
    const Node size = 1 + below(random, 9);
    std::vector<Digraph::Arc> arcs;
    for (unsigned i = below(random, 3 * size); i > 0; --i) {
      arcs.emplace_back(below(random, size), below(random, size));
    }
    const Digraph graph(size, arcs);
    Accesses accesses;
    accesses.num_variables = 3;
    accesses.uses.resize(size);
    accesses.definitions.resize(size);
    for (Node node = 0; node < size; ++node) {
      for (std::uint32_t v = 0; v < 3; ++v) {
        if (below(random, 2) == 0) accesses.uses[node].push_back(v);
        if (below(random, 3) == 0) accesses.definitions[node].push_back(v);
      }
    }
    const auto reaching = reaching_definitions(graph, 0, accesses);
    const Node entry = 0;
    const auto reached = reachable_from(graph, std::span(&entry, 1));
    for (Node node = 0; node < size; ++node) {
      for (std::size_t i = 0; i < accesses.uses[node].size(); ++i) {
        const Value value = reaching.uses[node][i];
        if (!reached[node]) {
          ASSERT_EQ(value, ReachingDefinitions::kUnreachable);
          continue;
        }
        ASSERT_EQ(sources(reaching, value),
                  naive_sources(graph, accesses, reaching, node,
                                accesses.uses[node][i], reached));
      }
    }
  }
}

}  // namespace
}  // namespace agon::analysis
