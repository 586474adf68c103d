// SPDX-License-Identifier: Apache-2.0
/// Components side by side as one system, for games.
#pragma once

#include <optional>
#include <vector>

#include "concurrent/composer.h"
#include "concurrent/symmetry.h"
#include "game/revisable_game.h"
#include "support/context.h"
#include "support/sequence_table.h"

namespace agon::concurrent {

/// The composition of quotients with the labels that a specification sees. It
/// changes when quotients grow and when classes are divided. Places that a
/// symmetry makes alike are one state.
///
/// Where some components can only move among themselves, in one way and unseen,
/// the others wait, unless this leads to a state that was known earlier. The
/// step changes nothing that the others can do, nor they it, so the two states
/// are branching bisimilar, and since there is no circle of such steps it is
/// enough to take it alone (Groote and van de Pol: State space reduction using
/// partial tau-confluence). Where there are several outcomes that would not be
/// true: what others do before can matter to a game, though not to traces.
class Product final : public game::RevisableSystem {
 public:
  /// All arguments have to outlive it. Once a limit is reached moves are
  /// missing. `symmetry` may be null.
  Product(const Composer& composer, const lts::Lts& spec,
          const Symmetry* symmetry, support::Context& context);

  lts::State initial() override;
  std::span<const lts::Transition> expand(lts::State state) override;
  lts::StateKind kind(lts::State) override { return lts::StateKind::Ordinary; }
  bool can_terminate() const override { return false; }
  std::span<const lts::Label> alphabet() const override {
    return spec_.alphabet();
  }
  const lts::SharedLabels& labels() const override { return spec_.labels(); }
  Revision take_revision() override;

  /// To be told when classes of a model were divided.
  void forget(std::uint32_t model, const std::vector<Class>& changed);

  /// Whether there is a revision that was not taken.
  bool is_revised();

  /// The state that a place belongs to.
  lts::State state_of(Place place);

 private:
  struct Row {
    bool is_made = false;
    std::vector<lts::Transition> moves;
    std::vector<lts::State> predecessors;
  };
  Place place(lts::State state) const;
  std::vector<lts::Transition> find_moves(lts::State state);
  std::optional<lts::State> find_inert_step(lts::State from, const Place& here);
  void forget(lts::State state);
  void note_growth();

  const Composer& composer_;
  const lts::Lts& spec_;
  const Symmetry* symmetry_;
  support::Context& context_;
  support::SequenceTable<Class> places_;
  std::vector<Row> rows_;
  std::vector<std::vector<std::vector<lts::State>>> with_;  // By model, class.
  std::vector<std::size_t> growth_seen_;                    // By model.
  Revision revision_;
};

}  // namespace agon::concurrent
