// SPDX-License-Identifier: Apache-2.0
/// Time of the bisimulation reductions against the number of states.
///
/// Each family has sizes from 10^3 to 10^6, and the fit printed as BigO should
/// be N log N or less. Random systems have four transitions per state. The
/// others are those on which careless algorithms are quadratic.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "lts/bisimulation.h"
#include "lts/lts.h"

namespace agon::lts {
namespace {

class Maker {
 public:
  explicit Maker(std::size_t states)
      : labels_(std::make_shared<LabelTable>()), builder_(labels_) {
    builder_.ensure_states(states);
    builder_.set_initial(State(0));
  }
  void connect(std::size_t source, const std::string& label,
               std::size_t target) {
    builder_.add_transition(State::at(source), labels_->intern(label),
                            State::at(target));
  }
  Lts build() && {
    return std::move(builder_).build(LtsBuilder::Duplicates::Keep);
  }

 private:
  SharedLabels labels_;
  LtsBuilder builder_;
};

/// Four random transitions per state, one in four of them silent and forward,
/// so that the silent steps do not collapse to a few components.
Lts random(std::size_t n) {
  std::mt19937_64 draw(n);
  Maker maker(n);
  const std::string names[] = {"tau", "a", "b", "c"};
  for (std::size_t s = 0; s < n; ++s) {
    for (int i = 0; i < 4; ++i) {
      const std::string& label = names[draw() % 4];
      std::size_t target = draw() % n;
      if (label == "tau" && target < s) target = n - 1 - target % (n - s);
      maker.connect(s, label, target);
    }
  }
  return std::move(maker).build();
}

/// Random, but with so few different states that classes are large.
Lts layered(std::size_t n) {
  std::mt19937_64 draw(n);
  Maker maker(n);
  for (std::size_t s = 0; s / 64 * 64 + 128 <= n; ++s) {
    const std::size_t layer = s / 64 + 1;
    maker.connect(s, draw() % 2 == 0 ? "a" : "tau", layer * 64 + draw() % 64);
    if (draw() % 2 == 0) maker.connect(s, "b", layer * 64 + draw() % 64);
  }
  return std::move(maker).build();
}

/// tau^n a: all states but the last one are equivalent.
Lts silent_chain(std::size_t n) {
  Maker maker(n);
  for (std::size_t s = 0; s + 2 < n; ++s) maker.connect(s, "tau", s + 1);
  maker.connect(n - 2, "a", n - 1);
  return std::move(maker).build();
}

/// A silent chain whose states also have an a to the state that is reached by
/// the chain from there after a third of it: splits keep cutting the chain.
Lts laddered_chain(std::size_t n) {
  Maker maker(n);
  for (std::size_t s = 0; s + 1 < n; ++s) {
    maker.connect(s, "tau", s + 1);
    if (s % 2 == 0) maker.connect(s, "a", (s + n / 3) % n);
  }
  return std::move(maker).build();
}

/// a^n: every state is a class of its own.
Lts visible_chain(std::size_t n) {
  Maker maker(n);
  for (std::size_t s = 0; s + 1 < n; ++s) maker.connect(s, "a", s + 1);
  return std::move(maker).build();
}

/// One state with silent steps to half of the others, which have a step to the
/// rest, a chain.
Lts silent_fan(std::size_t n) {
  Maker maker(n);
  const std::size_t half = n / 2;
  for (std::size_t s = 1; s < half; ++s) {
    maker.connect(0, "tau", s);
    maker.connect(s, "b", half + s);
  }
  for (std::size_t s = half; s + 1 < n; ++s) maker.connect(s, "a", s + 1);
  return std::move(maker).build();
}

/// Two independent counters, the steps of one of them silent.
Lts grid(std::size_t n) {
  std::size_t side = 1;
  while ((side + 1) * (side + 1) <= n) ++side;
  Maker maker(side * side);
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      if (i + 1 < side) maker.connect(i * side + j, "a", (i + 1) * side + j);
      if (j + 1 < side) maker.connect(i * side + j, "tau", i * side + j + 1);
    }
  }
  return std::move(maker).build();
}

/// A binary tree with the edges to the left silent.
Lts tree(std::size_t n) {
  Maker maker(n);
  for (std::size_t s = 0; 2 * s + 2 < n; ++s) {
    maker.connect(s, "tau", 2 * s + 1);
    maker.connect(s, s % 3 == 0 ? "a" : "b", 2 * s + 2);
  }
  return std::move(maker).build();
}

template <class Reduction>
void run(benchmark::State& state, Lts (*family)(std::size_t),
         const Reduction& reduction) {
  const Lts lts = family(static_cast<std::size_t>(state.range(0)));
  std::uint32_t classes = 0;
  for (auto _ : state) classes = reduction(lts).num_classes;
  state.counters["classes"] = classes;
  state.counters["transitions"] = static_cast<double>(lts.num_transitions());
  state.SetComplexityN(state.range(0));
}

void add(const char* name, Lts (*family)(std::size_t)) {
  for (const bool branching : {false, true}) {
    const auto reduction =
        branching ? branching_bisimulation : strong_bisimulation;
    benchmark::RegisterBenchmark(
        (std::string(branching ? "branching/" : "strong/") + name).c_str(),
        [=](benchmark::State& state) { run(state, family, reduction); })
        ->RangeMultiplier(10)
        ->Range(1'000, 1'000'000)
        ->Unit(benchmark::kMillisecond)
        ->Complexity(benchmark::oNLogN);
  }
}

}  // namespace
}  // namespace agon::lts

int main(int argc, char** argv) {
  using namespace agon::lts;
  add("random", random);
  add("layered", layered);
  add("silent_chain", silent_chain);
  add("laddered_chain", laddered_chain);
  add("visible_chain", visible_chain);
  add("silent_fan", silent_fan);
  add("grid", grid);
  add("tree", tree);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
