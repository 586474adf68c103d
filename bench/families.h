// SPDX-License-Identifier: Apache-2.0
/// Families of systems that the benchmarks run on, from fixed seeds.
#pragma once

#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "lts/lts.h"

namespace agon::bench {

/// An implementation and a specification that includes it.
struct Pair {
  lts::Lts impl;
  lts::Lts spec;
};

struct Shape {
  std::size_t states;
  double density = 3.5;  ///< Transitions per state.
  std::size_t labels = 10;
  double silent = 0;
  bool deterministic = false;
};

struct Edge {
  std::uint32_t source, label, target;
};

/// Random edges; every state but the first has one from an earlier state, so
/// that all can be reached.
inline std::vector<Edge> random_edges(const Shape& shape, std::mt19937_64& r) {
  std::vector<Edge> edges;
  const auto n = static_cast<std::uint32_t>(shape.states);
  std::vector<std::vector<bool>> used(
      shape.deterministic ? n : 0, std::vector<bool>(shape.labels + 1, false));
  const auto label = [&] {
    const bool silent =
        static_cast<double>(r() >> 11) * 0x1.0p-53 < shape.silent;
    return silent ? 0U : static_cast<std::uint32_t>(1 + r() % shape.labels);
  };
  const auto add = [&](std::uint32_t source, std::uint32_t target) {
    const std::uint32_t l = label();
    if (shape.deterministic) {
      if (used[source][l]) return;
      used[source][l] = true;
    }
    edges.push_back({source, l, target});
  };
  for (std::uint32_t s = 1; s < n; ++s) {
    add(static_cast<std::uint32_t>(r() % s), s);
  }
  const auto count = static_cast<std::size_t>(
      shape.density * static_cast<double>(shape.states));
  // A deterministic system has no room for more than one move per label.
  std::size_t tries = 4 * count;
  while (edges.size() < count && tries-- > 0) {
    add(static_cast<std::uint32_t>(r() % n),
        static_cast<std::uint32_t>(r() % n));
  }
  return edges;
}

inline lts::Lts build(const std::vector<Edge>& edges, std::size_t states,
                      const std::vector<std::uint32_t>& number,
                      const lts::SharedLabels& labels) {
  lts::LtsBuilder builder(labels);
  builder.ensure_states(states);
  builder.set_initial(lts::State(number[0]));
  for (const Edge& e : edges) {
    const lts::Label label =
        e.label == 0 ? lts::kTau
                     : labels->intern("a" + std::to_string(e.label));
    builder.add_transition(lts::State(number[e.source]), label,
                           lts::State(number[e.target]));
  }
  return std::move(builder).build();
}

/// The specification is random; the implementation is the same system with its
/// states shuffled and a tenth of its transitions missing.
inline Pair included_pair(const Shape& shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto labels = std::make_shared<lts::LabelTable>();
  std::vector<Edge> edges = random_edges(shape, random);
  std::vector<std::uint32_t> number(shape.states);
  std::iota(number.begin(), number.end(), 0U);
  lts::Lts spec = build(edges, shape.states, number, labels);
  std::shuffle(number.begin(), number.end(), random);
  std::erase_if(edges, [&](const Edge&) { return random() % 10 == 0; });
  lts::Lts impl = build(edges, shape.states, number, labels);
  return {std::move(impl), std::move(spec)};
}

}  // namespace agon::bench
