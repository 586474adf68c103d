// SPDX-License-Identifier: Apache-2.0
#include "analysis/points_to_solver.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace agon::analysis {
namespace {

constexpr std::uint32_t kPlaces = 60;

enum RuleKind : std::uint8_t { kMove, kLoad, kStore };

/// Every place has a content; a move goes `number` places on.
class Solver final : public InclusionSolver {
 public:
  Solver() {
    for (std::uint32_t i = 0; i < kPlaces; ++i) add_node();
  }
  static NodeId content(PlaceId place) { return NodeId(place.value()); }

 protected:
  void apply(const Rule& rule, PlaceId place) override {
    switch (rule.kind) {
      case kMove:
        add(rule.node, PlaceId((place.value() + rule.number) % kPlaces));
        break;
      case kLoad:
        include(content(place), rule.node);
        break;
      default:
        include(rule.node, content(place));
    }
  }
};

/// The same constraints, solved by trying all of them again and again.
struct Naive {
  std::vector<std::set<std::uint32_t>> sets;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<std::pair<std::uint32_t, Rule>> rules;

  bool include(std::uint32_t from, std::uint32_t to) {
    const std::size_t before = sets[to].size();
    const auto copy = sets[from];
    sets[to].insert(copy.begin(), copy.end());
    return sets[to].size() != before;
  }

  void solve() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const auto& [from, to] : edges) is_changed |= include(from, to);
      for (const auto& [node, rule] : rules) {
        const auto copy = sets[node];
        const std::uint32_t other = rule.node.value();
        for (const std::uint32_t place : copy) {
          if (rule.kind == kMove) {
            is_changed |=
                sets[other].insert((place + rule.number) % kPlaces).second;
          } else {
            is_changed |= rule.kind == kLoad ? include(place, other)
                                             : include(other, place);
          }
        }
      }
    }
  }
};

void compare(Solver& solver, const Naive& naive) {
  for (std::uint32_t i = 0; i < naive.sets.size(); ++i) {
    std::set<std::uint32_t> found;
    solver.places(NodeId(i)).for_each(
        [&](std::uint32_t p) { found.insert(p); });
    ASSERT_EQ(found, naive.sets[i]) << "set " << i;
    for (std::uint32_t k = 0; k < i; ++k) {
      ASSERT_EQ(solver.set_number(NodeId(i)) == solver.set_number(NodeId(k)),
                naive.sets[i] == naive.sets[k]);
    }
  }
}

/// Every step of a derivation but those of a rule keeps the place.
void check_derivations(const Solver& solver, const Naive& naive,
                       const std::set<std::pair<NodeId, PlaceId>>& roots) {
  for (std::uint32_t i = 0; i < naive.sets.size(); ++i) {
    for (const std::uint32_t place : naive.sets[i]) {
      const auto facts = solver.derivation(NodeId(i), PlaceId(place));
      ASSERT_FALSE(facts.empty());
      EXPECT_EQ(facts.front().node, solver.find(NodeId(i)));
      EXPECT_EQ(facts.front().place, PlaceId(place));
      bool is_root = false;
      for (const auto& [node, root] : roots) {
        is_root = is_root || (solver.find(node) == facts.back().node &&
                              root == facts.back().place);
      }
      EXPECT_TRUE(is_root);
    }
  }
}

TEST(InclusionSolver, FindsTheLeastSets) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    Solver solver;
    Naive naive;
    const std::uint32_t extra = 10 + static_cast<std::uint32_t>(seed % 50);
    for (std::uint32_t i = 0; i < extra; ++i) solver.add_node();
    naive.sets.resize(kPlaces + extra);
    std::set<std::pair<NodeId, PlaceId>> roots;
    const auto node = [&] {
      return static_cast<std::uint32_t>(random() % naive.sets.size());
    };
    for (auto rounds = 1 + random() % 3; rounds > 0; --rounds) {
      for (auto steps = random() % 120; steps > 0; --steps) {
        const std::uint32_t a = node();
        const std::uint32_t b = node();
        const auto kind = random() % 12;
        if (kind < 2) {
          const auto place = static_cast<std::uint32_t>(random() % kPlaces);
          solver.add(NodeId(a), PlaceId(place));
          naive.sets[a].insert(place);
          roots.emplace(NodeId(a), PlaceId(place));
        } else if (kind < 9) {
          solver.include(NodeId(a), NodeId(b));
          naive.edges.emplace_back(a, b);
        } else {
          const Rule rule{static_cast<std::uint8_t>(kind - 9), NodeId(b),
                          static_cast<std::uint32_t>(random() % 5)};
          solver.add_rule(NodeId(a), rule);
          naive.rules.emplace_back(a, rule);
        }
      }
      solver.solve(nullptr);
      naive.solve();
    }
    compare(solver, naive);
    if (seed % 60 == 0) check_derivations(solver, naive, roots);
    if (HasFatalFailure()) FAIL() << "with seed " << seed;
  }
}

TEST(InclusionSolver, MakesOneSetOfACycle) {
  Solver solver;
  constexpr std::uint32_t size = 40;
  for (std::uint32_t i = 0; i < size; ++i) {
    solver.include(NodeId(i), NodeId((i + 1) % size));
  }
  for (std::uint32_t i = 0; i < kPlaces; ++i) {
    solver.add(NodeId(i % size), PlaceId(i));
    solver.solve(nullptr);
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    EXPECT_EQ(solver.find(NodeId(i)), solver.find(NodeId(0)));
    EXPECT_EQ(solver.places(NodeId(i)).size(), kPlaces);
  }
  EXPECT_EQ(solver.num_facts(), kPlaces);
}

}  // namespace
}  // namespace agon::analysis
