// SPDX-License-Identifier: Apache-2.0
/// The predicate abstraction of a program, as a system that is expanded on
/// demand.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "abstraction/precision.h"
#include "abstraction/solutions.h"
#include "abstraction/symbolic.h"
#include "lts/successors.h"

namespace agon::abstraction {

/// Where a program starts.
struct Start {
  Values values;
  std::vector<term::Term> constraints;
};

/// A step between abstract states.
struct Step {
  ir::EdgeId edge;  ///< The exit of the block.
  Answers values;   ///< Of the predicates at its end.
};

/// Computes abstract steps, and remembers what it computed whatever the
/// precision is.
class AbstractSteps {
 public:
  AbstractSteps(const Blocks& blocks, SymbolicExecution& execution,
                Solutions& solutions);

  /// What holds before a block. The first `consistent` of the literals do not
  /// contradict each other.
  struct Known {
    std::vector<term::Term> literals;
    std::size_t consistent;
  };
  /// What holds before a block, and the exits that values which are known as
  /// constants leave open. Some may be closed all the same.
  struct Opening {
    Known known;
    const std::vector<Exit>* exits;
  };
  Opening open(const Start& start);
  /// At a cut point where the predicates have the given values.
  Opening open(ir::LocationId cut, const Answers& values,
               const Precision& precision);

  /// All steps; those through the exit `only`, if it is given.
  std::vector<Step> from(const Opening& opening, const Precision& precision,
                         ir::EdgeId only = {});
  std::vector<Step> from(const Start& start, const Precision& precision) {
    return from(open(start), precision);
  }
  std::vector<Step> from(ir::LocationId cut, const Answers& values,
                         const Precision& precision) {
    return from(open(cut, values, precision), precision);
  }

  /// The same for a few predicates: the values that they can have behind an
  /// exit, if literals hold at the cut point. If there are more than
  /// `max_rows`, some may be missing.
  std::vector<Answers> through(ir::EdgeId exit, const Start& start,
                               std::span<const term::Term> predicates,
                               std::size_t max_rows);
  std::vector<Answers> through(ir::EdgeId exit, ir::LocationId cut,
                               std::vector<term::Term> literals,
                               std::span<const term::Term> predicates,
                               std::size_t max_rows);

  /// The ways out of a block from a start where some values are known.
  const std::vector<Exit>& exits(ir::LocationId cut, const Values& start);

  /// What values of predicates at a location say, as a conjunction.
  std::vector<term::Term> literals(ir::LocationId cut, const Answers& values,
                                   const Precision& precision);

  /// The values of variables that literals such as `x == 5` fix.
  Values constants(std::span<const term::Term> literals) const;

  /// Facts about all executions, by location (invariants.h). Every state at a
  /// location knows them, besides the values of its predicates.
  void know(std::vector<std::vector<term::Term>> facts);
  const std::vector<term::Term>& facts(ir::LocationId cut) const {
    return facts_[cut.index()];
  }

  /// How many locations were passed when blocks were run.
  std::uint64_t num_passed() const { return num_passed_; }

  const Blocks& blocks() const { return blocks_; }
  SymbolicExecution& execution() { return execution_; }

  /// A name for what the Havoc at an edge chooses in a block.
  term::Term choice(ir::EdgeId edge);

 private:
  using Key = std::vector<std::uint32_t>;

  static Known known_at(const Start& start);
  /// Adds the facts, and puts in the constants that literals fix.
  Known known_at(ir::LocationId cut, std::vector<term::Term> literals,
                 Values& constants);
  std::vector<Answers> behind(const std::vector<Exit>& exits, ir::EdgeId edge,
                              const Known& known,
                              std::span<const term::Term> predicates,
                              std::size_t max_rows);
  std::vector<Answers> behind(const Exit& exit, const Known& known,
                              std::span<const term::Term> predicates,
                              std::size_t max_rows = Solutions::kNoLimit);

  const Blocks& blocks_;
  SymbolicExecution& execution_;
  Solutions& solutions_;
  term::Pool& pool_;
  std::vector<term::Term> choices_;             // By edge.
  std::vector<std::vector<term::Term>> facts_;  // By location.
  std::map<Key, std::vector<Exit>> exits_;
  std::uint64_t num_passed_ = 0;
};

/// The abstract program for one precision.
class AbstractProgram final : public lts::Successors {
 public:
  /// `labels` gives the label of each action, by function.
  AbstractProgram(AbstractSteps& steps, const Start& start,
                  const Precision& precision, lts::SharedLabels labels,
                  std::span<const lts::Label> alphabet);

  lts::State initial() override { return lts::State(0); }
  std::span<const lts::Transition> expand(lts::State state) override;
  lts::StateKind kind(lts::State) override { return lts::StateKind::Ordinary; }
  bool can_terminate() const override { return false; }
  std::span<const lts::Label> alphabet() const override { return alphabet_; }
  const lts::SharedLabels& labels() const override { return labels_; }

  /// The labels of moves that a state may have, sorted, without asking for the
  /// moves themselves. It may have none with some of them.
  std::vector<lts::Label> possible(lts::State state);
  /// The moves with one label, sorted. No others are computed. Valid until the
  /// next call.
  std::span<const lts::Transition> expand(lts::State state, lts::Label label);

  std::size_t num_states() const { return states_.size(); }
  /// Invalid for the initial state, which stands before the entry.
  ir::LocationId location(lts::State state) const {
    return states_[state.index()].cut;
  }
  const Precision& precision() const { return precision_; }
  /// Of the predicates at its location.
  const Answers& values(lts::State state) const {
    return states_[state.index()].values;
  }
  bool is_expanded(lts::State state) const {
    return states_[state.index()].is_expanded;
  }
  /// The state at a location with these values, whether it is reached or not.
  lts::State intern(ir::LocationId cut, const Answers& values);
  /// What is known at a state, as a conjunction.
  std::vector<term::Term> literals(lts::State state);
  /// The exit of the block that a transition was found at first.
  ir::EdgeId exit(lts::State state, lts::Transition transition);

 private:
  struct Moves {
    std::vector<lts::Transition> out;
    std::vector<ir::EdgeId> exits;  // Beside `out`.
  };
  struct Row {
    ir::LocationId cut;
    Answers values;
    bool is_expanded = false;
    Moves moves;
  };

  /// A state that was asked for single labels.
  struct Open {
    AbstractSteps::Opening opening;
    std::vector<std::pair<lts::Label, ir::EdgeId>> ways;  // Sorted.
  };

  AbstractSteps::Opening opening(lts::State state);
  const Open& open(lts::State state);
  std::vector<Step> steps(const AbstractSteps::Opening& opening,
                          ir::EdgeId only = {});
  Moves moves_of(const std::vector<Step>& steps);
  const Moves& moves(lts::State state, lts::Label label);
  lts::Label label(ir::EdgeId edge);

  AbstractSteps& steps_;
  const Start& start_;
  const Precision& precision_;
  lts::SharedLabels labels_;
  std::vector<lts::Label> alphabet_;
  std::vector<Row> states_;
  std::map<std::pair<ir::LocationId, Answers>, lts::State> index_;
  std::vector<lts::Label> label_of_;  // By edge; invalid if it is not known.
  std::map<lts::State, Open> open_;
  // By label, for states that are not expanded as a whole.
  std::map<std::pair<lts::State, lts::Label>, Moves> parts_;
};

}  // namespace agon::abstraction
