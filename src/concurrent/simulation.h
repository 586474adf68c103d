// SPDX-License-Identifier: Apache-2.0
/// Does the specification simulate components that run in parallel, as far as
/// their quotients tell?
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concurrent/composer.h"
#include "concurrent/product.h"
#include "concurrent/symmetry.h"
#include "concurrent/tree.h"
#include "game/revisable_game.h"
#include "lts/lts.h"
#include "support/context.h"
#include "support/verdict.h"

namespace agon::concurrent {

struct Simulated {
  support::Verdict verdict = support::Verdict::Unknown;
  std::string reason;  ///< Why Unknown.
  Tree tree;           ///< If Violated.
};

/// The counterpart of `Search` for the weak simulation game. It keeps what it
/// knows, too: after a class was divided only what rests on its places is
/// played again.
///
/// Symmetry is used as there. If components change places, each event becomes
/// one that the specification answers alike in all its states; so what wins
/// from a place wins from the permuted one against the same state.
class Simulation {
 public:
  /// All arguments have to outlive it. So many positions are worth looking for
  /// symmetry.
  Simulation(const Composer& composer, const lts::Lts& spec,
             support::Context& context, std::size_t many = 1'000);

  Simulated run();

  /// To be told when classes of a model were divided.
  void forget(std::uint32_t model, const std::vector<Class>& changed) {
    product_->forget(model, changed);
  }

  std::size_t num_positions() const { return game_->num_positions(); }
  /// Positions that were looked at; some several times.
  std::size_t num_visits() const {
    return num_visits_before_ + game_->num_expanded();
  }
  /// Places that the answer is about.
  std::size_t num_states() const { return game_->num_states(); }

 private:
  void start_anew(std::optional<Symmetry> symmetry);
  void look_for_symmetry();
  bool is_symmetric_in_the_end();
  std::optional<Simulated> violation();
  std::optional<Tree::Node> take_back_permutation(
      const game::Strategy::Node& node, const Place& here);
  bool is_answered_alike(lts::State spec, lts::Label a, lts::Label b);

  const Composer& composer_;
  const lts::Lts& spec_;
  lts::ExplicitSuccessors spec_states_;
  support::Context& context_;
  const std::size_t many_;
  bool has_tried_symmetry_ = false;
  std::size_t num_visits_before_ = 0;
  std::optional<Symmetry> symmetry_;
  std::unique_ptr<Product> product_;
  std::unique_ptr<game::RevisableGame> game_;
};

}  // namespace agon::concurrent
