// SPDX-License-Identifier: Apache-2.0
/// LTSA's analyses of a system on the fly: safety, deadlock and progress.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lts/successors.h"
#include "support/context.h"
#include "support/verdict.h"

namespace agon::lts {

/// A demand on every terminal set, that is, on every strongly connected set of
/// states that no transition leaves: under fair choice, each execution ends up
/// in one and takes all of its transitions for ever. A state without
/// transitions is such a set.
struct ProgressTest {
  enum class Demand { AnyOf, AllOf };

  std::string name;
  /// Which of `actions` have to recur.
  Demand demand = Demand::AnyOf;
  /// Entries match labels as in matches_prefix.
  std::vector<std::string> actions = {};
  /// If `conditional`, only sets that use one of `condition` are looked at.
  bool conditional = false;
  std::vector<std::string> condition = {};
};

/// LTSA's default test: every action of the alphabet recurs.
ProgressTest default_progress(const Successors& system);

/// One answer with its evidence.
struct Finding {
  support::Verdict verdict = support::Verdict::Unknown;
  std::string reason;        ///< Why it is unknown; empty otherwise.
  std::vector<Label> trace;  ///< If violated, a shortest way to the place.
};

/// The answer to a progress test. `trace` leads into the offending set.
struct ProgressFinding : Finding {
  std::string name;
  std::vector<Label> recurring;      ///< The visible labels of the set, sorted.
  std::vector<std::string> missing;  ///< The entries that do not recur.
};

struct Analysis {
  Finding safety;    ///< Violated if an ERROR state is reachable.
  Finding deadlock;  ///< Violated if an Ordinary state is stuck.
  std::vector<ProgressFinding> progress;  ///< In the order of the tests.
  std::size_t states = 0;                 ///< Seen, without ERROR.
  std::size_t transitions = 0;
};

/// Searches breadth-first, and no further than the answers need. If a limit of
/// `context` is reached, what was not found by then is Unknown. Progress is
/// Unknown as well if ERROR is reachable, since the system ends there.
Analysis analyse(Successors& system, std::span<const ProgressTest> tests,
                 support::Context& context);

}  // namespace agon::lts
