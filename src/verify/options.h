// SPDX-License-Identifier: Apache-2.0
/// How a question is to be decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "abstraction/blocks.h"
#include "abstraction/solutions.h"
#include "evidence/insight.h"
#include "lts/successors.h"
#include "refine/options.h"
#include "verify/hints.h"

namespace agon::verify {

enum class Conformance : std::uint8_t {
  Auto,        ///< Simulation first; where it fails for sure, traces decide.
  Simulation,  ///< Does the specification simulate the program?
  Trace,       ///< Does it have all traces of the program?
};

enum class Integers : std::uint8_t {
  Machine,       ///< Bit-vectors of their real width.
  Mathematical,  ///< Without bounds, as in the papers.
};

/// How components of a concurrent program are abstracted.
enum class Levels : std::uint8_t {
  One,  ///< By predicates.
  Two,  ///< And then by the actions that states offer (TWO §7).
};

/// When the steps of an abstract model are computed.
enum class Expansion : std::uint8_t {
  Lazy,  ///< When the game asks for them.
  Full,  ///< All, before the game begins (SIM §3, TWO Fig. 1).
};

struct Options {
  Conformance conformance = Conformance::Auto;
  abstraction::BlockMode blocks = abstraction::BlockMode::Large;
  refine::RefinerOptions refinement;
  /// How many winning strategies to refine on at once (SIM §5).
  std::size_t counterexamples = 1;
  /// Spend one part of the work in so many on playing the abstract models as
  /// the game of FALS. 0: do not; 1: without any bound.
  unsigned falsification = 10;
  /// Look for invariants after so many iterations, or earlier if they seem to
  /// go round a loop, and again after twice as many. 0: never.
  std::size_t invariants = 6;
  /// The same for looking at paths one by one, and whether that is also done
  /// for a while where nothing else is left to try.
  unsigned unrolling = 3;
  bool unrolls_when_stuck = true;
  /// Whether loops that count are written out first; for `prepare` in
  /// question.h.
  bool unfolds() const {
    return unrolling != 0 && blocks == abstraction::BlockMode::Large;
  }
  Integers integers = Integers::Machine;  ///< For `prepare` in question.h.
  Levels levels = Levels::Two;
  abstraction::Layers layers;
  Expansion expansion = Expansion::Lazy;
  /// Whether an iteration knows the answers that the ones before it have got.
  bool reuses_answers = true;
  std::size_t max_iterations = 0;  ///< 0: no limit.
  std::size_t max_predicates = 0;  ///< 0: no limit.
  /// If it is given, a proof states the invariants of loops, with the variables
  /// of which this says that, declared at the first place, they are known at
  /// the loop whose condition is at the second.
  std::function<bool(const ir::Position&, const ir::Position&)> is_in_scope;
  evidence::Detail detail = evidence::Detail::None;
  /// Is told from time to time how many iterations there were, and what
  /// predicates are tracked.
  std::function<void(std::size_t, std::vector<std::string>)> on_learnt;
  /// Is told what a proof relies on.
  std::function<void(Hints)> on_proof;
  /// Is shown the abstract program that the answer was found on.
  std::function<void(lts::Successors&)> on_model;
};

/// The algorithm of the papers, otherwise as `options` say. The model is made
/// again in every iteration (TWO §9.2.2), by asking a theorem prover about each
/// step (SIM §6, TWO §5.4). Some of our own stays, or the comparison would not
/// be fair: memory that is read at one place is a variable, since the papers
/// have expressions of C instead of memory; no question is asked twice for one
/// model; and Candidates::Core, since the papers do not bound the time in which
/// they choose among all branches.
inline Options as_published(Options options) {
  options.blocks = abstraction::BlockMode::Single;
  options.refinement.predicates = refine::PredicateSource::Branches;
  options.refinement.minimise = refine::Minimise::Optimal;
  options.integers = Integers::Mathematical;
  options.falsification = 0;
  options.invariants = 0;
  options.unrolling = 0;
  options.unrolls_when_stuck = false;
  options.layers.set_quick(false);
  options.expansion = Expansion::Full;
  options.reuses_answers = false;
  return options;
}

}  // namespace agon::verify
