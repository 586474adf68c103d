// SPDX-License-Identifier: Apache-2.0
/// The subset construction: a deterministic system with the same traces.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lts/lts.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/sequence_table.h"

namespace agon::lts {

/// What a silent step is to an analysis of traces: a label like any other, or
/// nothing that could be observed.
enum class Silent { Visible, Hidden };

/// What becomes of a set with an ERROR member. `Absorb`: it is ERROR and has no
/// transitions, since what comes after a violation does not matter. `Ignore`:
/// ERROR is a state without transitions and nothing else.
enum class Errors { Absorb, Ignore };

/// The deterministic system whose states are the sets of states that share a
/// trace, made on demand. With `Silent::Hidden` sets are closed under silent
/// steps, and there are no silent transitions.
///
/// A set is END if it has no transitions, if there is an END among its members,
/// and no member is stuck that is not END. So a possible deadlock is not taken
/// for success, and a choice between going on and being done is neither.
class Determinised final : public Successors {
 public:
  /// `system` has to outlive this object. Once a limit of `context` is reached,
  /// closures are cut short; whoever uses the sets has to look at the context
  /// before drawing a conclusion.
  Determinised(Successors& system, Silent silent, Errors errors,
               support::Context& context);

  State initial() override;
  std::span<const Transition> expand(State set) override;
  StateKind kind(State set) override;
  bool can_terminate() const override { return system_.can_terminate(); }
  std::span<const Label> alphabet() const override {
    return system_.alphabet();
  }
  const SharedLabels& labels() const override { return system_.labels(); }

  /// The states of `system` in a set, sorted. Valid until a set is made.
  std::span<const State> members(State set) const { return sets_[set.value()]; }

  /// Up to four of the members that the set was made from. All others, if there
  /// were no more than these, are reached from them by hidden silent steps, so
  /// there is nothing that they could do better. Valid until a set is made.
  std::span<const State> front(State set) const {
    return fronts_[set.index()].states();
  }

  /// Whether every member of `small` is in `large`.
  bool is_subset(State small, State large) const;

  /// Transitions of `system` that were looked at so far.
  std::size_t work() const { return work_; }

  /// Whether some label was seen to lead a set to several places.
  bool met_nondeterminism() const { return met_nondeterminism_; }

 private:
  struct Row {
    std::uint32_t begin = kNotMade;
    std::uint32_t end = kNotMade;
  };
  static constexpr std::uint32_t kNotMade = 0xffff'ffff;

  struct Front {
    std::array<State, 4> members;
    std::uint8_t size = 0;
    std::span<const State> states() const { return {members.data(), size}; }
  };

  State intern_found();
  State intern_singleton(State member);
  void register_new(State set);
  void find(State state);
  bool is_error(State set);
  void gather_moves(State set);
  void make_row(State set);

  Successors& system_;
  Silent silent_;
  Errors errors_;
  support::Context& context_;
  support::SequenceTable<State> sets_;
  std::vector<std::uint64_t> signatures_;  // A bit for each member, hashed.
  std::vector<Front> fronts_;
  std::vector<State> singletons_;  // By member, where it is known.
  std::vector<Row> rows_;
  std::vector<Transition> moves_;
  bool met_nondeterminism_ = false;
  std::size_t work_ = 0;
  // Scratch space: the states found for the next set.
  std::vector<State> found_;
  Front front_;  // The first of those found, before they were closed.
  std::vector<std::uint64_t> seen_;  // The round in which a state was found.
  std::uint64_t round_ = 0;
  std::vector<Transition> gathered_;
};

/// All of the deterministic system, its initial state being 0, with ERROR
/// absorbed and the alphabet of `lts`. There may be exponentially many sets:
/// throws InputError if there are more than the limits of `context` allow, or
/// if time or memory runs out.
Lts determinise(const Lts& lts, Silent silent, support::Context& context);

}  // namespace agon::lts
