// SPDX-License-Identifier: Apache-2.0
/// Steps of the abstraction that are computed once for all states.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abstraction/solutions.h"
#include "term/pool.h"

namespace agon::refine {

/// What a statement does to the truth of predicates.
///
/// Predicates that were carried back from a branch (TWO Fig. 5) are the same
/// after a statement as before it, in the form that they have there: their
/// truth is copied. What is left depends on few predicates, if on any: how a
/// value that is chosen compares with constants, or whether a condition can
/// hold. That is found out once, and not for each state again.
class Shortcut {
 public:
  /// The same as Solutions::all, for answers before that do not contradict each
  /// other.
  std::vector<abstraction::Answers> rows(
      const abstraction::Answers& before) const;

 private:
  friend class Shortcuts;
  class Finder;

  /// Where an answer comes from.
  struct Source {
    enum class Kind : std::uint8_t { Constant, Copied, Found };
    Kind kind;
    bool flip = false;        ///< Of Constant: the answer.
    std::uint32_t place = 0;  ///< Among the answers before.
  };
  /// An answer that must be given before.
  struct Demand {
    std::uint32_t place;
    bool answer;
  };
  /// Predicates that depend on each other.
  struct Core {
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
    /// The answers to those before and then those after that go together.
    std::vector<abstraction::Answers> rows;

    bool agrees(const abstraction::Answers& row,
                const abstraction::Answers& with) const;
  };

  std::vector<Source> sources_;  // By predicate after the statement.
  std::vector<Demand> demands_;
  std::vector<Core> cores_;
};

/// Finds shortcuts.
class Shortcuts {
 public:
  Shortcuts(term::Pool& pool, abstraction::Solutions& solutions)
      : pool_(pool), solutions_(solutions) {}

  /// For predicates before a statement, predicates after it in the form that
  /// they have before it, and its condition. Nothing if a solver would have to
  /// be asked.
  std::optional<Shortcut> find(std::span<const term::Term> before,
                               std::span<const term::Term> after,
                               std::span<const term::Term> guard);

 private:
  friend class Shortcut::Finder;

  /// What the boundary check says, remembered.
  const std::optional<std::vector<abstraction::Answers>>& solve(
      const std::vector<term::Term>& guards,
      const std::vector<term::Term>& asked);
  /// Where each memory is read at one place, a term without memories.
  term::Term flat(term::Term term);

  static constexpr std::size_t kMostPoints = 1024;

  term::Pool& pool_;
  abstraction::Solutions& solutions_;
  abstraction::BoundaryCheck boundary_{kMostPoints};
  std::map<std::pair<std::vector<term::Term>, std::vector<term::Term>>,
           std::optional<std::vector<abstraction::Answers>>>
      solved_;
  std::unordered_map<term::Term, term::Term> names_;  // Of reads.
};

}  // namespace agon::refine
