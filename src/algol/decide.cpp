// SPDX-License-Identifier: Apache-2.0
#include "algol/decide.h"

#include <fmt/format.h>

#include <utility>

#include "algol/interpreter.h"
#include "algol/machine.h"
#include "algol/precision.h"
#include "algol/refine.h"
#include "support/error.h"

namespace agon::algol {
namespace {

Play follow(const Tree& tree, const Precision& precision,
            const std::vector<Pattern>& patterns, const Path& path) {
  Play play;
  Machine machine(tree, precision, patterns);
  machine.record(&play, nullptr);
  machine.start();
  for (const Step& step : path) {
    machine.choose(step.group, step.number);
    while (machine.run() == Machine::Status::Running) {
    }
  }
  return play;
}

std::size_t count_parts(const Tree& tree, const Precision& precision) {
  std::size_t parts = 0;
  for (std::size_t i = 0; i < precision.size(); ++i) {
    if (!tree.sites[i].data.is_bool) parts += precision[i].num_parts();
  }
  return parts;
}

/// Says when it is the turn of the predicates, and for how long: after some
/// work, and again after twice as much. No answer may depend on time.
class Turns {
 public:
  bool is_next(std::size_t iterations, std::uint64_t steps) {
    if (iterations < iterations_ && steps < steps_) return false;
    iterations_ = 2 * iterations;
    steps_ = 2 * steps + kFirstSteps;
    return true;
  }
  std::size_t length() { return length_ *= 2; }

 private:
  static constexpr std::uint64_t kFirstSteps = std::uint64_t{1} << 22;
  std::size_t iterations_ = 12;
  std::uint64_t steps_ = kFirstSteps;
  std::size_t length_ = 2;
};

}  // namespace

Decision decide(const Judgement& judgement, const Tree& tree,
                const std::vector<Pattern>& patterns,
                const DecideOptions& options, support::Context& context) {
  Decision decision;
  Precision precision =
      make_precision(tree, options.precise ? Partition::Start::Exact
                                           : Partition::Start::Whole);
  Turns turns;
  for (;;) {
    SearchResult found =
        search(tree, precision, patterns, options.order, context);
    ++decision.iterations;
    decision.states = found.states;
    decision.steps += found.steps;
    decision.parts = count_parts(tree, precision);
    context.progress(fmt::format("iteration {}: {} states, {} parts",
                                 decision.iterations, found.states,
                                 decision.parts));
    if (found.kind == SearchResult::Kind::Unknown) {
      decision.reason = std::move(found.reason);
      return decision;
    }
    if (found.kind == SearchResult::Kind::Nothing) {
      decision.kind = Decision::Kind::Unreachable;
      return decision;
    }
    if (found.is_certain) {
      decision.play = follow(tree, precision, patterns, found.path);
      auto example = replay(judgement, decision.play);
      AGON_ASSERT(example.has_value());
      decision.example = std::move(*example);
      decision.kind = Decision::Kind::Reachable;
      return decision;
    }
    if (options.predicates &&
        turns.is_next(decision.iterations, decision.steps)) {
      Decision other = options.predicates(turns.length());
      if (other.kind != Decision::Kind::Unknown) {
        other.by_predicates = true;
        return other;
      }
    }
    refine(tree, patterns, found.path, precision);
  }
}

}  // namespace agon::algol
