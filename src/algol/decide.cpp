// SPDX-License-Identifier: Apache-2.0
#include "algol/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "algol/interpreter.h"
#include "algol/machine.h"
#include "algol/precision.h"
#include "support/error.h"

namespace agon::algol {
namespace {

Play follow(const Tree& tree, const std::vector<Pattern>& patterns,
            const Path& path) {
  Play play;
  Machine machine(tree, *path.front().precision, patterns);
  machine.record(&play, nullptr);
  machine.start();
  for (const auto& [step, precision] : path) {
    machine.use(*precision);
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
  /// How many moves inside of the tree are left before the next turn.
  std::uint64_t left(std::uint64_t steps) const {
    return steps < steps_ ? steps_ - steps : 0;
  }
  bool is_next(std::size_t iterations, std::uint64_t steps) {
    if (iterations < iterations_ && steps < steps_) return false;
    iterations_ = std::max(iterations_, 2 * iterations);
    steps_ = 2 * steps + kFirstSteps;
    return true;
  }
  std::size_t length() { return length_ *= 2; }

 private:
  static constexpr std::uint64_t kFirstSteps = std::uint64_t{1} << 26;
  std::size_t iterations_ = 24;
  std::uint64_t steps_ = kFirstSteps;
  std::size_t length_ = 2;
};

void reachable(const Judgement& judgement, Play play, Decision& decision) {
  auto example = replay(judgement, play);
  AGON_ASSERT(example.has_value());
  decision.kind = Decision::Kind::Reachable;
  decision.play = std::move(play);
  decision.example = std::move(*example);
}

}  // namespace

Decision decide(const Judgement& judgement, const Tree& tree,
                const std::vector<Pattern>& patterns,
                const DecideOptions& options, support::Context& context) {
  Decision decision;
  Search search(tree,
                make_precision(tree, options.precise ? Partition::Start::Exact
                                                     : Partition::Start::Whole),
                patterns, options.order, context);
  Turns turns;
  for (;;) {
    const SearchResult found = search.run(
        options.predicates ? turns.left(search.steps())
                           : std::numeric_limits<std::int64_t>::max());
    const bool has_ended = found.kind != SearchResult::Kind::Paused;
    if (has_ended) ++decision.iterations;
    decision.states = search.num_states();
    decision.steps = search.steps();
    decision.parts = count_parts(tree, search.finest());
    context.progress(fmt::format("iteration {}: {} states, {} parts",
                                 decision.iterations, decision.states,
                                 decision.parts));
    if (found.kind == SearchResult::Kind::Unknown) {
      decision.reason = found.reason;
      return decision;
    }
    if (found.kind == SearchResult::Kind::Nothing) {
      decision.kind = Decision::Kind::Unreachable;
      return decision;
    }
    if (found.is_certain) {
      reachable(judgement, follow(tree, patterns, found.path), decision);
      return decision;
    }
    if (options.predicates &&
        turns.is_next(decision.iterations, decision.steps)) {
      Decision other = options.predicates(turns.length());
      other.by_predicates = true;
      if (other.kind != Decision::Kind::Unknown) return other;
    }
    if (has_ended) search.refine();
  }
}

}  // namespace agon::algol
