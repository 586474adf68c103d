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

}  // namespace

Decision decide(const Judgement& judgement, const Tree& tree,
                const std::vector<Pattern>& patterns,
                const DecideOptions& options, support::Context& context) {
  Decision decision;
  Precision precision =
      make_precision(tree, options.precise ? Partition::Start::Exact
                                           : Partition::Start::Whole);
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
    refine(tree, patterns, found.path, precision);
  }
}

}  // namespace agon::algol
