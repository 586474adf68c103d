// SPDX-License-Identifier: Apache-2.0
/// The abstract models of the loop, played as the game of FALS: a win shows
/// that a violation is real, however long the way to it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abstraction/blocks.h"
#include "falsify/falsify.h"
#include "refine/feasibility.h"
#include "refine/play.h"
#include "verify/model_game.h"
#include "verify/monitor.h"
#include "verify/trials.h"

namespace agon::verify {

/// A win, with an execution that the interpreter has run.
struct Falsified {
  std::vector<std::string> strategy;  ///< For people. Empty: it was a trial.
  std::vector<std::string> actions;   ///< The last of them, if they are many.
  std::vector<std::string> allowed;   ///< Instead of the last.
  ir::Position last;                  ///< Where the last one is.
  /// Its first steps, with the values that are chosen.
  refine::Feasibility found;
  refine::Play play;        ///< The same in blocks.
  falsify::Execution made;  ///< All of it.
  /// Steps that come after these, roughly. 0: these are all.
  std::uint64_t num_omitted = 0;
};

class Falsification {
 public:
  /// What a query and an iteration count, in states or nodes: about as many
  /// cost the same time, or less.
  static constexpr std::uint64_t kQuery = 32;
  static constexpr std::uint64_t kIteration = 60;
  /// What a query uses that is harder than most, if the solver counts it.
  static constexpr std::uint64_t kResourcesPerState = 100;

  /// All must outlive this object. For `share` see options.h.
  Falsification(const Task& task, Component& component, unsigned share,
                smt::Solver& solver, support::Context& context);

  /// Plays on the states of an abstract program that are there already, then
  /// with other predicates, statement by statement, and tries executions,
  /// unless this would cost more than a small share of the work that was done
  /// so far, in states and queries: not in time, on which no answer may depend.
  std::optional<Falsified> attempt(abstraction::AbstractProgram& model,
                                   std::span<const term::Term> predicates,
                                   std::uint64_t work);

  /// The latter two where nothing else is left to try, for twice that share.
  std::optional<Falsified> attempt_last(std::span<const term::Term> predicates,
                                        std::uint64_t work);

 private:
  /// Models that are made for the game only.
  struct Finer {
    const char* domain;
    std::uint64_t cost = 0;  ///< What the next try is likely to cost.
    bool is_done = false;
  };

  /// Tries executions for as many nodes, in all.
  std::optional<Falsified> attempt_trials(std::uint64_t nodes);
  std::optional<Falsified> attempt_finer(std::span<const term::Term> predicates,
                                         std::uint64_t work);
  /// What may still be spent, as one part in so many of the work.
  std::uint64_t allowed(std::uint64_t work, unsigned share) const;
  /// To be tried next; nothing if all are done.
  Finer* cheapest(std::span<const term::Term> predicates);
  std::optional<Falsified> play(Finer& finer,
                                std::span<const term::Term> predicates,
                                std::uint64_t budget);
  std::optional<Falsified> run(const falsify::Execution& made);

  const Task& task_;
  const abstraction::Blocks& blocks_;
  smt::Solver& solver_;
  support::Context& context_;
  unsigned share_;
  std::uint64_t fixed_;  ///< What a game costs besides its nodes and queries.
  std::optional<Monitored> monitored_;
  ModelGame models_;
  std::optional<Trials> trials_;
  bool is_possible_;
  std::array<Finer, 4> finer_ = {{
      {"interval"},
      {"interval+affine"},
      {"predicates"},           ///< Those that `falsify` finds by itself.
      {"interval+predicates"},  ///< Those of the loop.
  }};
  std::size_t asked_ = 0;
  std::vector<term::Term> played_;  ///< The last predicates.
  std::uint64_t spent_ = 0;
  std::uint64_t queries_ = 0;  ///< Of what was spent.
};

}  // namespace agon::verify
