// SPDX-License-Identifier: Apache-2.0
#include "analysis/control_dependence.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "random_calls.h"

namespace agon::analysis {
namespace {

unsigned below(std::mt19937& random, unsigned n) {
  return static_cast<unsigned>(random() % n);
}

Digraph random_graph(std::mt19937& random, Node size) {
  std::vector<Digraph::Arc> arcs;
  const unsigned count = below(random, 3 * size + 1);
  for (unsigned i = 0; i < count; ++i) {
    arcs.emplace_back(below(random, size), below(random, size));
  }
  // The last node is the end, and everything but it goes on.
  std::erase_if(arcs, [&](const auto& arc) { return arc.first == size - 1; });
  for (Node node = 0; node + 1 < size; ++node) {
    if (below(random, 2) == 0) arcs.emplace_back(node, node + 1);
  }
  return Digraph(size, arcs);
}

/// Whether `to` can be reached from `from` without passing `without`.
bool reaches(const Digraph& graph, Node from, Node to, Node without) {
  if (from == without) return false;
  std::vector<bool> seen(graph.size(), false);
  std::vector<Node> queue{from};
  seen[from] = true;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    if (queue[head] == to) return true;
    for (const Node next : graph.successors(queue[head])) {
      if (next == without || seen[next]) continue;
      seen[next] = true;
      queue.push_back(next);
    }
  }
  return false;
}

bool dominates(const Digraph& graph, Node root, Node a, Node b) {
  return a == b || !reaches(graph, root, b, a);
}

TEST(Dominators, AgreeWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < test::scaled(2000); ++round) {
    SCOPED_TRACE(round);
    const Node size = 1 + below(random, 9);
    const Digraph graph = random_graph(random, size);
    const auto idom = immediate_dominators(graph, 0);
    for (Node node = 0; node < size; ++node) {
      if (node == 0 || !reaches(graph, 0, node, kNoNode)) {
        ASSERT_EQ(idom[node], kNoNode);
        continue;
      }
      ASSERT_NE(idom[node], kNoNode);
      for (Node other = 0; other < size; ++other) {
        if (other == node || !reaches(graph, 0, other, kNoNode)) continue;
        // Dominators form a chain, of which the immediate one is the last.
        ASSERT_EQ(dominates(graph, 0, other, node),
                  dominates(graph, 0, other, idom[node]));
      }
      ASSERT_TRUE(dominates(graph, 0, idom[node], node));
    }
  }
}

/// Whether every way from `node` to the end passes `by`.
bool post_dominates(const Digraph& graph, Node end, Node by, Node node) {
  return by == node || !reaches(graph, node, end, by);
}

TEST(ControlDependence, AgreesWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < test::scaled(2000); ++round) {
    SCOPED_TRACE(round);
    const Node size = 2 + below(random, 8);
    const Digraph graph = random_graph(random, size);
    const Node end = size - 1;
    const ControlDependence control = control_dependence(graph, end);
    const auto lives = reachable_from(graph.reversed(), std::array{end});
    for (Node branch = 0; branch < size; ++branch) {
      if (!lives[branch]) continue;
      for (Node node = 0; node < size; ++node) {
        if (!lives[node]) continue;
        bool some = false;
        for (const Node to : graph.successors(branch)) {
          some = some || (lives[to] && post_dominates(graph, end, node, to));
        }
        const bool strictly =
            node != branch && post_dominates(graph, end, node, branch);
        const bool expected =
            graph.successors(branch).size() > 1 && some && !strictly;
        const auto& found = control.controllers[node];
        ASSERT_EQ(std::ranges::count(found, branch), expected ? 1 : 0)
            << branch << " controls " << node;
      }
    }
  }
}

TEST(ControlDependence, GivesClosedSetsOneFirstElement) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < test::scaled(2000); ++round) {
    SCOPED_TRACE(round);
    const Node size = 2 + below(random, 9);
    const Digraph graph = random_graph(random, size);
    const Node end = size - 1;
    const auto lives = reachable_from(graph.reversed(), std::array{end});
    if (std::ranges::count(lives, false) != 0) continue;
    const ControlDependence control = control_dependence(graph, end);
    std::vector<bool> in(size, false);
    std::vector<Node> work{end, below(random, size)};
    while (!work.empty()) {
      const Node node = work.back();
      work.pop_back();
      if (in[node]) continue;
      in[node] = true;
      for (const Node branch : control.controllers[node]) {
        work.push_back(branch);
      }
    }
    for (Node start = 0; start < size; ++start) {
      Node nearest = start;
      while (!in[nearest]) nearest = control.post_dominator[nearest];
      std::vector<bool> seen(size, false);
      std::vector<Node> queue{start};
      for (std::size_t head = 0; head < queue.size(); ++head) {
        if (in[queue[head]]) {
          ASSERT_EQ(queue[head], nearest);
          continue;
        }
        for (const Node to : graph.successors(queue[head])) {
          if (!seen[to]) queue.push_back(to);
          seen[to] = true;
        }
      }
    }
  }
}

// A long chain in which every node may go to the end, and a nest of loops:
// neither may take the stack or quadratic time.
TEST(ControlDependence, CopesWithLongFunctions) {
  constexpr Node kSize = 300'000;
  std::vector<Digraph::Arc> arcs;
  for (Node node = 0; node + 1 < kSize; ++node) {
    arcs.emplace_back(node, node + 1);
    if (node % 2 == 0) arcs.emplace_back(node, kSize - 1);
    if (node % 3 == 2) arcs.emplace_back(node, node - 2);
  }
  const Digraph graph(kSize, arcs);

  const ControlDependence control = control_dependence(graph, kSize - 1);

  EXPECT_EQ(control.post_dominator[0], kSize - 1);
  EXPECT_EQ(control.post_dominator[1], 2U);
  EXPECT_EQ(cycle_heads(graph, 0).size(), kSize / 3 - 1);
}

}  // namespace
}  // namespace agon::analysis
