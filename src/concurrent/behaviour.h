// SPDX-License-Identifier: Apache-2.0
/// What a component does, as far as somebody asks.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "lts/successors.h"

namespace agon::concurrent {

class Behaviour {
 public:
  Behaviour() = default;
  Behaviour(const Behaviour&) = delete;
  Behaviour& operator=(const Behaviour&) = delete;
  virtual ~Behaviour() = default;

  virtual lts::State initial() = 0;

  /// The labels by which a state may lead anywhere, sorted; kTau is one.
  virtual std::vector<lts::Label> offers(lts::State state) = 0;

  /// Where a label leads, sorted.
  const std::vector<lts::State>& after(lts::State state, lts::Label label);

  /// What `after` says, or null if that is not known without effort.
  virtual const std::vector<lts::State>* known(lts::State state,
                                               lts::Label label);

 protected:
  virtual std::vector<lts::State> find(lts::State state, lts::Label label) = 0;

 private:
  std::unordered_map<std::uint64_t, std::vector<lts::State>> after_;
};

/// All moves, silent ones included. A state offers just what it can do.
class AllMoves final : public Behaviour {
 public:
  /// `system` has to outlive it.
  explicit AllMoves(lts::Successors& system) : system_(system) {}

  lts::State initial() override { return system_.initial(); }
  std::vector<lts::Label> offers(lts::State state) override;
  const std::vector<lts::State>* known(lts::State state,
                                       lts::Label label) override {
    return &after(state, label);
  }

 protected:
  std::vector<lts::State> find(lts::State state, lts::Label label) override;

 private:
  lts::Successors& system_;
};

/// States that can do nothing but move silently are passed over: a move to one
/// leads wherever it may end up. What waits is reached as before, so deadlocks
/// are the same. One that moves silently for ever is kept.
class SettledMoves final : public Behaviour {
 public:
  /// `system` has to outlive it.
  explicit SettledMoves(lts::Successors& system) : system_(system) {}

  lts::State initial() override { return system_.initial(); }
  std::vector<lts::Label> offers(lts::State state) override;
  const std::vector<lts::State>* known(lts::State state,
                                       lts::Label label) override {
    return &after(state, label);
  }

 protected:
  std::vector<lts::State> find(lts::State state, lts::Label label) override;

 private:
  bool is_passed_over(lts::State state);

  lts::Successors& system_;
};

/// A system that can be asked for the moves of one label.
class ByLabel {
 public:
  virtual ~ByLabel() = default;
  virtual lts::State initial() = 0;
  /// At least the labels of its moves, sorted.
  virtual std::vector<lts::Label> possible(lts::State state) = 0;
  /// Sorted; valid until the next call.
  virtual std::span<const lts::Transition> expand(lts::State state,
                                                  lts::Label label) = 0;
};

/// No silent moves: an action leads wherever silent moves and then the action
/// lead. That has the same weak traces, and each of the two simulates the
/// other. What nobody asks for is not computed, so more may be offered than
/// there is.
class VisibleMoves final : public Behaviour {
 public:
  /// `system` has to outlive it.
  explicit VisibleMoves(ByLabel& system) : system_(system) {}

  lts::State initial() override { return system_.initial(); }
  std::vector<lts::Label> offers(lts::State state) override;

 protected:
  std::vector<lts::State> find(lts::State state, lts::Label label) override;

 private:
  const std::vector<lts::State>& silently(lts::State state);

  ByLabel& system_;
  std::unordered_map<lts::State, std::vector<lts::State>> silently_;
};

}  // namespace agon::concurrent
