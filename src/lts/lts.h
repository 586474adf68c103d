// SPDX-License-Identifier: Apache-2.0
/// Explicit labelled transition systems.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lts/label.h"
#include "support/id.h"

namespace agon::lts {

using State = support::Id<struct StateTag>;

struct Transition {
  Label label;
  State target;
  friend constexpr auto operator<=>(Transition, Transition) = default;
};

/// What a state without transitions means. All are the same to the relations of
/// `game`; composition and the analyses of `checks.h` tell them apart.
enum class StateKind : std::uint8_t {
  Ordinary,
  Terminated,  ///< FSP's END: being stuck here is success, not deadlock.
  Error,       ///< FSP's ERROR: a property was violated.
};

/// An immutable LTS in compressed rows: the transitions of a state lie side by
/// side, sorted by label and then by target. Build one with LtsBuilder.
///
/// States are numbered from 0. There may be unreachable ones and repeated
/// transitions, since files contain both.
class Lts {
 public:
  const SharedLabels& labels() const { return labels_; }
  State initial() const { return initial_; }
  std::size_t num_states() const { return first_.size() - 1; }
  std::size_t num_transitions() const { return transitions_.size(); }

  std::span<const Transition> out(State state) const {
    return {transitions_.data() + first_[state.index()],
            transitions_.data() + first_[state.index() + 1]};
  }

  /// All transitions, row after row, and where the row of a state starts.
  std::span<const Transition> transitions() const { return transitions_; }
  std::uint32_t first(State state) const { return first_[state.index()]; }

  /// The visible labels that the system constrains, sorted: those on its
  /// transitions, and those it was extended with. Never kTau.
  std::span<const Label> alphabet() const { return alphabet_; }

  StateKind kind(State state) const {
    return kinds_.empty() ? StateKind::Ordinary : kinds_[state.index()];
  }

  /// Whether any state is other than Ordinary.
  bool has_kinds() const { return !kinds_.empty(); }

 private:
  friend class LtsBuilder;
  Lts() = default;

  SharedLabels labels_;
  State initial_;
  std::vector<std::uint32_t> first_;  // One more than there are states.
  std::vector<Transition> transitions_;
  std::vector<Label> alphabet_;
  std::vector<StateKind> kinds_;  // Empty if all are Ordinary.
};

/// Collects states and transitions in any order and makes an Lts of them.
class LtsBuilder {
 public:
  /// Whether a transition that was added twice counts once. A transition
  /// relation is a set, but a reader keeps what its file says.
  enum class Duplicates { Merge, Keep };

  explicit LtsBuilder(SharedLabels labels);

  const SharedLabels& labels() const { return labels_; }
  std::size_t num_states() const { return num_states_; }

  State add_state(StateKind kind = StateKind::Ordinary);
  /// Makes states until there are `count` of them.
  void ensure_states(std::size_t count);
  void set_kind(State state, StateKind kind);
  void set_initial(State state) { initial_ = state; }
  void add_transition(State source, Label label, State target);
  void reserve_transitions(std::size_t count) { edges_.reserve(count); }
  /// Adds a visible label to the alphabet, whether it occurs or not.
  void extend_alphabet(Label label);

  /// Sorts and packs. Needs a valid initial state; the builder is used up.
  Lts build(Duplicates duplicates = Duplicates::Merge) &&;

 private:
  struct Edge {
    State source;
    Transition transition;
  };

  SharedLabels labels_;
  State initial_;
  std::size_t num_states_ = 0;
  std::vector<Edge> edges_;
  std::vector<Label> extension_;
  std::vector<StateKind> kinds_;
};

/// The number of each kind of thing that `agon lts info` prints.
struct LtsInfo {
  std::size_t states = 0;  ///< Without the ERROR state, as in LTSA.
  std::size_t reachable_states = 0;
  std::size_t transitions = 0;
  std::size_t labels = 0;     ///< Visible ones, the whole alphabet.
  std::size_t silent = 0;     ///< Silent transitions.
  std::size_t deadlocks = 0;  ///< Ordinary states without transitions.
  std::size_t terminated = 0;
  bool error = false;  ///< Whether there is an ERROR state.
  /// No state has a silent transition or two targets for one label.
  bool deterministic = true;
};
LtsInfo info(const Lts& lts);

/// States that can be reached, in breadth-first order from the initial one.
std::vector<State> reachable(const Lts& lts);

}  // namespace agon::lts
