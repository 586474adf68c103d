// SPDX-License-Identifier: Apache-2.0
/// Looks at the paths of a program one by one, as long as there are not many:
/// where loops end soon, no predicate has to be found that explains them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "verify/component.h"

namespace agon::verify {

/// All paths from block to block, shortest first. What happens inside of a
/// block stays one formula, so that branches do not multiply, but iterations
/// do. Paths that get where another one has been, with the same values under
/// the same conditions, wait until there are no others: nothing new comes
/// behind them, so that errors are found first, however deep they lie.
class Unrolling {
 public:
  enum class Outcome : std::uint8_t {
    Open,      ///< There are more paths.
    Violated,  ///< `play` is real.
    Complete,  ///< The traces of all paths are those of the specification.
  };

  /// All must outlive this object. For `share` see options.h.
  Unrolling(const Task& task, Component& component, unsigned share,
            smt::Solver& solver, support::Context& context);

  /// Goes on for a share of the work that was done so far, counted as in
  /// falsification.h, unless this is one of the first iterations.
  Outcome attempt(std::uint64_t work);
  /// Goes on for a while, because nothing else is left to try.
  Outcome attempt_last();
  /// The same for as long as this allows.
  Outcome run(std::uint64_t allowed);

  /// After Violated.
  const refine::Play& play() const { return play_; }
  const refine::Feasibility& found() const { return found_; }

  /// After Complete: the actions that are performed, and the states that the
  /// specification gets to.
  const std::set<lts::Label>& performed() const { return performed_; }
  std::vector<bool> reached_states() const;
  /// How often a path passes a place, at most, for each round of the loops
  /// around it.
  std::uint32_t most_rounds() const;
  /// The edges of actions; nothing if more can happen behind one of them.
  std::optional<std::set<ir::EdgeId>> last_actions() const;

 private:
  using States = std::set<lts::State>;
  struct Node {
    std::uint32_t parent = 0;
    ir::EdgeId edge;  ///< That led here; invalid for the root.
    ir::LocationId cut;
    std::vector<term::Term> guard;
    abstraction::Values values;
    const States* states = nullptr;  ///< Of the specification.
    std::uint32_t depth = 0;
    std::uint32_t guarded = 0;  ///< The next above with a guard, or the root.
    bool is_certain = true;     ///< That the path is possible.
  };
  /// All that matters for what comes behind a node.
  using Situation = std::tuple<ir::LocationId, const States*,
                               std::vector<abstraction::Values::Entry>,
                               std::vector<term::Term>>;

  void expand(std::uint32_t node);
  std::optional<std::uint32_t> take_next();
  term::Term choice(ir::EdgeId edge, std::uint32_t depth);
  void add(std::uint32_t parent, abstraction::Exit exit, smt::Answer answer);
  smt::Answer is_possible(std::uint32_t parent, const abstraction::Exit& exit);
  Situation situation(std::uint32_t node);
  const std::vector<term::Term>& leaves(term::Term formula);
  std::vector<term::Term> conditions(std::uint32_t node) const;
  std::vector<term::Term> related(std::vector<term::Term> conditions,
                                  std::set<term::Term> about);
  void examine(std::uint32_t node);
  refine::Play play_to(std::uint32_t node) const;
  const States* closure(States states);
  const States* after(const States& states, lts::Label label);

  const Task& task_;
  Component& component_;
  smt::Solver& solver_;
  support::Context& context_;
  unsigned share_;
  std::size_t asked_ = 0;
  std::uint64_t spent_ = 0;
  std::deque<Node> nodes_;
  std::deque<std::uint32_t> open_;       ///< To be expanded.
  std::deque<std::uint32_t> postponed_;  ///< After all others.
  std::set<Situation> known_;
  std::map<std::pair<ir::EdgeId, std::uint32_t>, term::Term> choices_;
  std::unordered_map<term::Term, std::vector<term::Term>> leaves_;
  bool is_complete_ = true;  ///< Whether no path had to be left aside.
  bool is_violated_ = false;
  refine::Play play_;
  refine::Feasibility found_;
  std::set<lts::Label> performed_;
  std::set<States> sets_;
};

}  // namespace agon::verify
