// SPDX-License-Identifier: Apache-2.0
/// The two abstractions of a component, and runs that they have.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "abstraction/abstract_program.h"
#include "concurrent/behaviour.h"
#include "concurrent/question.h"
#include "concurrent/quotient.h"
#include "concurrent/search.h"
#include "game/strategy.h"
#include "verify/component.h"

namespace agon::concurrent {

/// What a component does in a part of the program's behaviour.
struct LocalTree {
  struct Node {
    std::vector<lts::Label> locals;       ///< One of these; kTau: silently.
    Class before;                         ///< Invalid: any.
    Class after;                          ///< Invalid: any.
    std::vector<std::uint32_t> children;  ///< They come later.
  };
  std::vector<Node> nodes;  ///< The first is the root.
};

/// States and moves of the predicate abstraction. The specification has no part
/// in it.
struct LocalRun {
  game::Strategy strategy;
  /// The last of the moves that are a node of the tree, by node; for trees.
  std::vector<std::uint32_t> moves_of;
};

/// A model with its present precision. Components that are alike share it.
class AbstractComponent {
 public:
  AbstractComponent(const Model& model, const verify::Options& options,
                    bool asks_for_deadlocks, smt::Solver& solver,
                    support::Context& context);

  verify::Component& component() { return component_; }
  Quotient& quotient() { return *quotient_; }
  abstraction::AbstractProgram& program() { return *program_; }
  lts::State initial() { return program_->initial(); }
  std::size_t num_states() const { return program_->num_states(); }

  /// Starts anew with the predicates that are known by now.
  void rebuild();

  /// A run of the predicate abstraction with the actions of a path and any
  /// silent steps in between; with `until_end`, to a state like those of the
  /// last class.
  std::optional<LocalRun> find_run(const LocalTree& path, bool until_end);

  /// Whether one of the labels can be the first.
  bool can_perform(const std::vector<lts::Label>& labels);

  /// States and moves of the predicate abstraction that follow a tree.
  std::optional<LocalRun> find_tree(const LocalTree& tree);

  /// Divides classes so that the tree is not there any more. It must not be one
  /// of the predicate abstraction.
  std::vector<Class> rule_out(const LocalTree& tree);

  refine::Play play(const game::Strategy& tree);

 private:
  /// Which states can go on as a node of a tree does.
  class Ability;

  /// A short run with one label out of each set in turn, and any silent steps,
  /// to where it may end.
  std::optional<std::vector<lts::Transition>> walk(
      lts::State from, const std::vector<std::vector<lts::Label>>& labels,
      const std::function<bool(lts::State)>& is_end);

  std::uint32_t rest(lts::State state) const;
  std::vector<Rest> find_rests(const Model& model) const;

  verify::Original original_;
  verify::Task task_;
  const verify::Options& options_;
  verify::Component component_;
  std::vector<Rest> rests_;  // By location; empty if nobody asks.
  abstraction::Precision precision_;
  std::unique_ptr<abstraction::AbstractProgram> program_;
  std::unique_ptr<ByLabel> by_label_;
  std::unique_ptr<Behaviour> behaviour_;
  std::unique_ptr<Quotient> quotient_;
};

}  // namespace agon::concurrent
