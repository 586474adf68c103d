// SPDX-License-Identifier: Apache-2.0
/// Horn clauses whose bodies are read one literal at a time.
///
/// An online solver for N-HORNSAT: it keeps the least model of clauses
/// `head <- b1 & … & bk` while variables and clauses still arrive. Dowling and
/// Gallier count for each clause the body literals that are not yet true; here
/// a clause instead *waits* at one of them, and the next literal is asked for
/// only when that one has become true. Every literal is still read at most
/// once, so the whole stays linear, but a literal that is never needed is never
/// even made: in a simulation game that is the response which the specification
/// need not try because an earlier one serves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/error.h"
#include "support/id.h"

namespace agon::horn {

using Variable = support::Id<struct VariableTag>;
using Clause = support::Id<struct ClauseTag>;

/// Rank of a variable that is not (yet) true.
inline constexpr auto kNever = std::numeric_limits<std::uint32_t>::max();

class LazySolver {
 public:
  Variable add_variable() {
    variables_.push_back({});
    return Variable::at(variables_.size() - 1);
  }

  /// A clause whose body the caller supplies to `start` and `propagate`.
  Clause add_clause(Variable head) {
    clauses_.push_back({head});
    return Clause::at(clauses_.size() - 1);
  }

  std::size_t num_variables() const { return variables_.size(); }
  std::size_t num_clauses() const { return clauses_.size(); }
  Variable head(Clause clause) const { return clauses_[clause.index()].head; }

  /// Whether the clauses so far imply the variable.
  bool is_true(Variable variable) const { return rank(variable) != kNever; }

  /// Depth of the derivation of a true variable: one more than the largest rank
  /// in the body of its reason, 0 for a fact. It is the least possible depth if
  /// all clauses had been started before the first call of `propagate`.
  std::uint32_t rank(Variable variable) const {
    return variables_[variable.index()].rank;
  }

  /// The clause that derived a true variable. Every literal of its body became
  /// true earlier, so following reasons always ends.
  Clause reason(Variable variable) const {
    return variables_[variable.index()].reason;
  }

  /// Counts the literal of a body as true with that rank although it has no
  /// variable. For callers who know it without the solver.
  void note_true_literal(Clause clause, std::uint32_t rank) {
    raise_rank(clauses_[clause.index()], rank);
  }

  /// Reads the body of a new clause as far as it is true. `next(clause)` gives
  /// its next literal, and an invalid one at the end; it may add variables and
  /// clauses, but not start them.
  template <class Next>
  void start(Clause clause, Next&& next) {
    advance(clause, next);
  }

  /// Draws all conclusions, in order of rank.
  template <class Next>
  void propagate(Next&& next) {
    while (head_ < queue_.size()) {
      const Variable variable = queue_[head_++];
      std::uint32_t waiting = variables_[variable.index()].first_waiting;
      variables_[variable.index()].first_waiting = kProcessed;
      while (waiting != kNobody) {
        const Clause clause(waiting);
        waiting = clauses_[clause.index()].next_waiting;
        raise_rank(clauses_[clause.index()], rank(variable));
        advance(clause, next);
      }
    }
    queue_.clear();
    head_ = 0;
  }

  /// Whether some clause that waits for the variable could still tell something
  /// new. Forgets those that could not.
  bool is_awaited(Variable variable) {
    VariableData& data = variables_[variable.index()];
    if (data.first_waiting == kProcessed) return false;
    while (data.first_waiting != kNobody &&
           is_true(clauses_[data.first_waiting].head)) {
      data.first_waiting = clauses_[data.first_waiting].next_waiting;
    }
    return data.first_waiting != kNobody;
  }

 private:
  static constexpr std::uint32_t kNobody = kNever;
  static constexpr std::uint32_t kProcessed = kNever - 1;

  struct VariableData {
    std::uint32_t rank = kNever;
    Clause reason;
    std::uint32_t first_waiting = kNobody;  // A list through next_waiting.
  };
  struct ClauseData {
    Variable head;
    std::uint32_t next_waiting = kNobody;
    std::uint32_t rank = 0;  // What the head gets if the clause fires.
  };

  static void raise_rank(ClauseData& clause, std::uint32_t body_rank) {
    clause.rank = std::max(clause.rank, body_rank + 1);
  }

  // A literal that is true but not yet processed makes the clause wait all the
  // same. So clauses fire when their last literal is processed, the queue stays
  // sorted by rank, and ranks come out least.
  template <class Next>
  void advance(Clause clause, Next&& next) {
    if (is_true(head(clause))) return;
    for (;;) {
      const Variable literal = next(clause);
      if (!literal.valid()) return derive(clause);
      VariableData& data = variables_[literal.index()];
      if (data.first_waiting != kProcessed) {
        clauses_[clause.index()].next_waiting = data.first_waiting;
        data.first_waiting = clause.value();
        return;
      }
      raise_rank(clauses_[clause.index()], data.rank);
    }
  }

  void derive(Clause clause) {
    VariableData& head = variables_[clauses_[clause.index()].head.index()];
    AGON_ASSERT(head.rank == kNever);
    head.rank = clauses_[clause.index()].rank;
    head.reason = clause;
    queue_.push_back(clauses_[clause.index()].head);
  }

  std::vector<VariableData> variables_;
  std::vector<ClauseData> clauses_;
  std::vector<Variable> queue_;  // True, and not yet processed from head_ on.
  std::size_t head_ = 0;
};

}  // namespace agon::horn
