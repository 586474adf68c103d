// SPDX-License-Identifier: Apache-2.0
/// The precise model of a term as a transition system that is expanded on
/// demand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algol/machine.h"
#include "algol/move.h"
#include "algol/precision.h"
#include "algol/tree.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/sequence_table.h"

namespace agon::algol {

/// Its labels are the moves. In one state the environment moves, in the next
/// the program answers, or never does. Labels are not known before they occur,
/// so that the alphabet is empty, and it is of no use in a composition.
class TermGame final : public lts::Successors {
 public:
  /// All have to outlive the game. `expand` throws InputError if a limit is
  /// reached.
  TermGame(const Tree& tree, lts::SharedLabels labels,
           support::Context& context);

  lts::State initial() override;
  std::span<const lts::Transition> expand(lts::State state) override;
  lts::StateKind kind(lts::State state) override;
  bool can_terminate() const override { return true; }
  std::span<const lts::Label> alphabet() const override { return {}; }
  const lts::SharedLabels& labels() const override { return labels_; }

  /// The moves, by label. Those of other labels of the table say nothing.
  const std::vector<Move>& moves() const { return moves_; }

 private:
  /// A state is a choice of the environment, or the program is about to make
  /// a move, or it never will, or the play is over.
  struct Position {
    enum class Kind : std::uint8_t { Choice, Answer, Silent, Over };
    Kind kind = Kind::Over;
    std::uint32_t choice = 0;  // This one; or the next, kNone: it is over.
    lts::Label label;          // Of an answer.
  };

  lts::State add(const Position& position);
  lts::State state_of_choice(std::uint32_t choice);
  std::uint32_t intern_choice();
  void expand_choice(std::uint32_t choice);
  void play_option(std::uint32_t choice, const OptionGroup& group,
                   std::uint64_t number);
  void check_limits() const;
  lts::Label label(const Move& move);

  const Tree& tree_;
  lts::SharedLabels labels_;
  support::Context& context_;
  Precision precision_;
  Machine machine_;
  Play play_;
  support::SequenceTable<StateWord> choices_;
  std::vector<lts::State> choice_states_;
  std::vector<Position> positions_;  // By state.
  lts::State over_;
  std::vector<StateWord> words_;
  std::vector<lts::Transition> transitions_;
  std::vector<Move> moves_;
};

}  // namespace agon::algol
