// SPDX-License-Identifier: Apache-2.0
/// The seam of Agon: a labelled transition system that is expanded on demand.
///
/// Explicit systems, compositions, and later the predicate abstraction of a C
/// program and the automaton of an open term all look like this. Every game is
/// written against it, so none of them is built just to be compared.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "lts/lts.h"

namespace agon::lts {

class Successors {
 public:
  Successors() = default;
  Successors(const Successors&) = delete;
  Successors& operator=(const Successors&) = delete;
  virtual ~Successors() = default;

  virtual State initial() = 0;

  /// The transitions of a state that was returned before, sorted by label and
  /// then by target. The same answer every time. New states are numbered
  /// densely in order of discovery, so tables may be indexed by them.
  ///
  /// The span is valid until the next call of `expand` on the same object.
  virtual std::span<const Transition> expand(State state) = 0;

  /// What kind of state it is. Leaves spans from `expand` valid.
  virtual StateKind kind(State state) = 0;

  /// Whether some state may be Terminated; composition needs to know.
  virtual bool can_terminate() const = 0;

  /// The visible labels that the system constrains, sorted.
  virtual std::span<const Label> alphabet() const = 0;

  virtual const SharedLabels& labels() const = 0;

  /// The system as a whole, where it exists as one. Algorithms that need to see
  /// all of it, such as reductions, are used only then.
  virtual const Lts* as_explicit() const { return nullptr; }
};

/// An explicit system, either borrowed, and then it has to outlive this view of
/// it, or shared.
class ExplicitSuccessors final : public Successors {
 public:
  explicit ExplicitSuccessors(const Lts& lts)
      : lts_(std::shared_ptr<const void>(), &lts) {}
  explicit ExplicitSuccessors(std::shared_ptr<const Lts> lts)
      : lts_(std::move(lts)) {}

  State initial() override { return lts_->initial(); }
  std::span<const Transition> expand(State state) override {
    return lts_->out(state);
  }
  StateKind kind(State state) override { return lts_->kind(state); }
  bool can_terminate() const override;
  std::span<const Label> alphabet() const override { return lts_->alphabet(); }
  const SharedLabels& labels() const override { return lts_->labels(); }
  const Lts* as_explicit() const override { return lts_.get(); }

 private:
  std::shared_ptr<const Lts> lts_;
};

}  // namespace agon::lts
