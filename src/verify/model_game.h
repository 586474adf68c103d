// SPDX-License-Identifier: Apache-2.0
/// The abstract program of an iteration as the game of FALS, as far as it is
/// there already: its states are played, and none is made for it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "abstraction/abstract_program.h"
#include "falsify/game.h"
#include "falsify/loops.h"
#include "falsify/replay.h"
#include "lts/determinise.h"
#include "verify/component.h"

namespace agon::verify {

/// Values for some of the Falsifier's choices in a block: of Havocs, by their
/// names in the steps, and of variables where the program starts.
using ChosenValues = std::map<term::Term, term::Bits>;

/// How a step of a block can be insisted on.
struct Steering {
  bool is_sure = false;
  term::Term leads;                  ///< When the step is taken.
  std::vector<ChosenValues> values;  ///< One of them leads from each state.
};

/// The game: a node for each state of the abstract program that was met, with
/// the states that the specification can be in. Nodes of states that were not
/// expanded are escapes, and so are those where execution may end. A move is a
/// step of a block.
struct Board {
  struct Position {
    lts::State state;  ///< Invalid: the error.
    lts::State spec;
  };
  falsify::Model model;
  std::vector<Position> positions;            ///< By node.
  std::vector<std::vector<Steering>> steers;  ///< By node and move.
};

class ModelGame {
 public:
  /// All must outlive this object. `share`: see options.h.
  ModelGame(const Task& task, Component& component, unsigned share,
            smt::Solver& solver, support::Context& context);

  struct Won {
    falsify::Execution execution;
    std::vector<std::string> strategy;  ///< For people.
  };

  /// Plays; nothing if the Preventer wins, or if it would cost more than a
  /// share of `work`, counted as in falsification.h. In the latter case the
  /// statistic `falsification.stopped` grows.
  std::optional<Won> play(abstraction::AbstractProgram& model,
                          std::uint64_t work);

 private:
  /// What is known before a block, and its ways out.
  struct Before {
    std::vector<term::Term> known;
    const std::vector<abstraction::Exit>* exits;
  };
  enum class Settled : std::uint8_t { Sure, Changed, Stopped };

  bool can_afford(std::uint64_t cost) const {
    return spent_ + cost <= allowed_;
  }
  std::uint64_t queries() const;
  std::optional<Board> make_board(abstraction::AbstractProgram& model);
  bool is_hopeful(const Board& board) const;
  bool find_loops(abstraction::AbstractProgram& model, Board& board);

  Settled settle(abstraction::AbstractProgram& model, Board& board);
  bool is_sure(abstraction::AbstractProgram& model, Board& board,
               falsify::NodeId node);
  Before before(abstraction::AbstractProgram& model, lts::State state);
  bool may_end(const Before& before);
  term::Term leads(abstraction::AbstractProgram& model, const Before& before,
                   ir::EdgeId exit, lts::State target);
  Steering steer(abstraction::AbstractProgram& model, lts::State from,
                 ir::EdgeId exit, lts::State target);
  Steering steer(const Before& before, term::Term leads,
                 const std::vector<term::Term>& own);
  std::optional<ChosenValues> find_values(
      const std::vector<term::Term>& formulas,
      const std::vector<term::Term>& own);
  smt::Answer ask(const std::vector<term::Term>& formulas);
  std::vector<term::Term> inputs(ir::LocationId cut, bool is_start,
                                 term::Term leads);
  bool has_inputs(ir::LocationId cut);

  std::optional<Won> win(abstraction::AbstractProgram& model, Board& board);
  std::vector<std::string> describe(const Board& board);

  const Task& task_;
  Component& component_;
  smt::Solver& solver_;
  support::Context& context_;
  unsigned share_;
  lts::ExplicitSuccessors spec_;
  lts::Determinised sets_;
  std::optional<falsify::LoopFinder> finder_;
  std::vector<falsify::EndingLoop> loops_;
  std::vector<falsify::Win> wins_;
  std::map<ir::LocationId, bool> has_inputs_;
  std::map<std::vector<std::uint32_t>, Steering> steered_;
  std::map<std::vector<std::uint32_t>, bool> may_end_;
  std::uint64_t spent_ = 0;
  std::uint64_t allowed_ = 0;
};

/// Runs the program, making the Falsifier's choices by the strategy. Nothing if
/// it does not perform an action that the specification forbids.
std::optional<falsify::Execution> run_strategy(
    const Task& task, Component& component, abstraction::AbstractProgram& model,
    const Board& board, const std::vector<falsify::Win>& wins,
    const ChosenValues& start, lts::Determinised& sets,
    support::Context& context);

}  // namespace agon::verify
