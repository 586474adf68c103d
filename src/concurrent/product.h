// SPDX-License-Identifier: Apache-2.0
/// Components side by side as one system, for games.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "concurrent/composer.h"
#include "game/strategy.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/sequence_table.h"
#include "support/verdict.h"

namespace agon::concurrent {

/// The composition of quotients that do not grow any more, with the labels that
/// a specification sees.
class Product final : public lts::Successors {
 public:
  /// All arguments have to outlive it. Once a limit is reached moves are
  /// missing.
  Product(const Composer& composer, const lts::Lts& spec,
          support::Context& context);

  lts::State initial() override;
  std::span<const lts::Transition> expand(lts::State state) override;
  lts::StateKind kind(lts::State) override { return lts::StateKind::Ordinary; }
  bool can_terminate() const override { return false; }
  std::span<const lts::Label> alphabet() const override {
    return spec_.alphabet();
  }
  const lts::SharedLabels& labels() const override { return spec_.labels(); }

  std::size_t num_states() const { return places_.size(); }
  Place place(lts::State state) const;
  /// A move that makes a transition.
  Move explain(lts::State from, lts::Transition transition) const;

 private:
  const Composer& composer_;
  const lts::Lts& spec_;
  support::Context& context_;
  support::SequenceTable<Class> places_;
  std::vector<std::optional<std::vector<lts::Transition>>> rows_;
};

/// A strategy of the program against the specification, without sharing.
struct Tree {
  struct Node {
    Move move;
    Place before;
    Place after;
    std::vector<std::uint32_t> children;  ///< They come later.
    lts::State spec;  ///< Where the specification is; invalid if not known.
  };
  std::vector<Node> nodes;  ///< The first is the root.
};

struct Simulated {
  support::Verdict verdict = support::Verdict::Unknown;
  std::string reason;  ///< Why Unknown.
  Tree tree;           ///< If Violated.
};

/// Plays the weak simulation game.
Simulated simulate(Product& product, const lts::Lts& spec,
                   support::Context& context);

}  // namespace agon::concurrent
