// SPDX-License-Identifier: Apache-2.0
// Simulation and trace inclusion on random pairs where inclusion holds.
#include <benchmark/benchmark.h>

#include "bench/families.h"
#include "game/simulation.h"
#include "game/traces.h"
#include "lts/successors.h"

namespace agon::bench {
namespace {

using game::Semantics;

enum class Relation { Simulation, Traces };

void run(benchmark::State& state, const Shape& shape, Relation relation,
         Semantics semantics) {
  const Pair pair = included_pair(shape, 1);
  std::size_t touched = 0;
  for (auto _ : state) {
    support::Context context;
    lts::ExplicitSuccessors impl(pair.impl);
    lts::ExplicitSuccessors spec(pair.spec);
    support::Verdict verdict = support::Verdict::Unknown;
    if (relation == Relation::Simulation) {
      const auto result = simulate(impl, spec, semantics, {}, context);
      verdict = result.verdict;
      touched = result.positions;
    } else {
      const auto result = include_traces(impl, spec, semantics, context);
      verdict = result.verdict;
      touched = result.pairs;
    }
    if (verdict != support::Verdict::Holds)
      state.SkipWithError("wrong verdict");
  }
  state.counters["touched"] = static_cast<double>(touched);
}

Shape shape_of(benchmark::State& state) {
  return {.states = static_cast<std::size_t>(state.range(0)),
          .labels = static_cast<std::size_t>(state.range(1))};
}

void simulation(benchmark::State& state) {
  run(state, shape_of(state), Relation::Simulation, Semantics::Strong);
}
void weak_simulation(benchmark::State& state) {
  Shape shape = shape_of(state);
  shape.silent = 0.2;
  run(state, shape, Relation::Simulation, Semantics::Weak);
}
void traces(benchmark::State& state) {
  run(state, shape_of(state), Relation::Traces, Semantics::Strong);
}
void weak_traces(benchmark::State& state) {
  Shape shape = shape_of(state);
  shape.silent = 0.2;
  run(state, shape, Relation::Traces, Semantics::Weak);
}
void traces_deterministic(benchmark::State& state) {
  Shape shape = shape_of(state);
  shape.deterministic = true;
  run(state, shape, Relation::Traces, Semantics::Strong);
}
void dense_simulation(benchmark::State& state) {
  Shape shape = shape_of(state);
  shape.density = 10;
  run(state, shape, Relation::Simulation, Semantics::Strong);
}
void dense_traces(benchmark::State& state) {
  Shape shape = shape_of(state);
  shape.density = 10;
  run(state, shape, Relation::Traces, Semantics::Strong);
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int labels : {5, 10, 50}) {
    for (const int n : {1000, 10000, 100000}) b->Args({n, labels});
  }
  b->Unit(benchmark::kMillisecond);
}
void dense_sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {300, 1000, 3000}) b->Args({n, 2});
  b->Unit(benchmark::kMillisecond);
}

BENCHMARK(simulation)->Apply(sizes);
BENCHMARK(weak_simulation)->Apply(sizes);
BENCHMARK(traces)->Apply(sizes);
BENCHMARK(weak_traces)->Apply(sizes);
BENCHMARK(traces_deterministic)->Apply(sizes);
BENCHMARK(dense_simulation)->Apply(dense_sizes);
BENCHMARK(dense_traces)->Apply(dense_sizes);

}  // namespace
}  // namespace agon::bench
