// SPDX-License-Identifier: Apache-2.0
/// What happened on the way to an answer, for people who want to look inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace agon::evidence {

/// How much of it to keep.
enum class Detail : std::uint8_t {
  None,
  History,  ///< What each iteration found.
  Model,    ///< And the model on which the answer was found.
};

/// A line of the source; 0: none.
struct Place {
  std::string file;
  std::uint32_t line = 0;
};

/// A play of the abstract game that no execution follows.
struct SpuriousPlay {
  std::string component;             ///< Empty if there is but one.
  std::vector<std::string> actions;  ///< What it claims to do.
  /// The tests on the way through its contradictory part, and where.
  std::vector<std::pair<std::string, Place>> tests;
  /// What would have to hold at `place` all at once.
  std::vector<std::string> conflict;
  Place place;
};

/// A predicate that the abstraction began to track.
struct FoundPredicate {
  std::string text;
  std::string component;
  Place place;  ///< The first of the places where it is tracked.
};

/// One round of abstracting, playing and refining.
struct Iteration {
  std::size_t predicates = 0;  ///< When it began.
  std::size_t states = 0;
  std::uint64_t solver_calls = 0;
  double time_s = 0;
  std::vector<SpuriousPlay> spurious;
  std::vector<FoundPredicate> found;
};

/// An abstract program as far as the game has explored it.
struct Model {
  struct Cut {
    Place place;
    std::vector<std::uint32_t> predicates;  ///< Those tracked there.
  };
  struct State {
    std::uint32_t cut = 0;
    std::vector<bool> values;  ///< Of the predicates of its cut.
    bool is_explored = false;  ///< Otherwise its transitions are not known.
  };
  struct Transition {
    std::uint32_t from = 0;
    std::uint32_t label = 0;
    std::uint32_t to = 0;
  };
  std::string component;  ///< Empty if there is but one.
  /// Predicates as C, and their negations.
  std::vector<std::pair<std::string, std::string>> predicates;
  std::vector<Cut> cuts;
  std::vector<State> states;  ///< The first is the initial one.
  std::vector<std::string> labels;
  std::vector<Transition> transitions;
  std::size_t num_states = 0;  ///< Also those that were left out.
};

}  // namespace agon::evidence
