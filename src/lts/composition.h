// SPDX-License-Identifier: Apache-2.0
/// Parallel composition in the manner of CSP, expanded on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lts/successors.h"
#include "support/context.h"
#include "support/sequence_table.h"

namespace agon::lts {

/// n systems side by side. A label in the alphabets of several of them needs
/// all of those to move together; any other label, and kTau, is one
/// component's own move. All components share one label table.
///
/// If a component reaches ERROR then so does the composition, in one shared
/// state without moves. A state is Terminated if every component that can
/// terminate has done so and the others share all their labels with those:
/// LTSA's rule, under which a partner that merely waits is no deadlock.
class Composition final : public Successors {
 public:
  /// `components` must not be empty. One step of many components may have more
  /// outcomes than there is time or memory for; once a limit of `context` is
  /// reached, `expand` cuts them short, and whoever uses them has to look at
  /// the context before drawing a conclusion.
  Composition(std::vector<std::unique_ptr<Successors>> components,
              support::Context& context);

  State initial() override;
  std::span<const Transition> expand(State state) override;
  StateKind kind(State state) override;
  bool can_terminate() const override { return can_terminate_; }
  std::span<const Label> alphabet() const override { return alphabet_; }
  const SharedLabels& labels() const override;

  std::size_t num_components() const { return components_.size(); }

  /// The local state of a component. Not for the ERROR state.
  State local(State state, std::size_t component) const;

 private:
  void combine(Label label, std::span<const std::uint32_t> participants,
               std::size_t next);
  State intern_next();

  std::vector<std::unique_ptr<Successors>> components_;
  support::Context& context_;
  std::vector<Label> alphabet_;
  // participants_[first_participant_[l] .. first_participant_[l + 1]]: the
  // components whose alphabet contains label l, in order.
  std::vector<std::uint32_t> first_participant_;
  std::vector<std::uint32_t> participants_;
  bool can_terminate_ = false;

  support::SequenceTable<State> tuples_;
  State error_;
  // Scratch space of `expand`.
  std::vector<State> here_;
  std::vector<State> next_;
  std::vector<std::span<const Transition>> moves_;
  std::vector<Transition> out_;
};

}  // namespace agon::lts
