// SPDX-License-Identifier: Apache-2.0
/// Predicates that rule out a counterexample which is not real.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "abstraction/precision.h"
#include "abstraction/solutions.h"
#include "refine/options.h"
#include "refine/play.h"
#include "smt/solver.h"

namespace agon::refine {

/// A predicate, and where to track it.
struct Proposal {
  ir::LocationId location;
  term::Term predicate;

  friend bool operator==(const Proposal&, const Proposal&) = default;
};

struct DiscoveryOptions {
  /// Where a variable is compared with a constant, also propose its other
  /// constants, everywhere: it looks like the state of a machine.
  bool families = true;
  std::size_t max_family = 64;
};

/// Finds predicates by weakest preconditions.
///
/// For each step of the play one path through its block is chosen that agrees
/// with what the abstraction claims. From the leaves upwards the conditions of
/// these paths are carried back by substitution. The first node where they
/// contradict each other is the root of a minimal spurious part (PROP §5.2). A
/// minimal core of the contradiction says which conditions matter; in the form
/// that they have at each cut point below, they are what the abstraction has to
/// know there.
class Discovery {
 public:
  Discovery(abstraction::AbstractSteps& steps,
            abstraction::Solutions& solutions, smt::Solver& solver,
            const abstraction::Start& start, DiscoveryOptions options = {});

  /// Takes predicates, and says whether any of them is new.
  using Taker = std::function<bool(const std::vector<Proposal>&)>;

  /// Offers groups of predicates in order of importance, and of the effort to
  /// find them, until one brings something new. Whether one did.
  bool propose(const Play& play, const Taker& take);

  /// The same from branch conditions only (TWO §6): what contradicts itself on
  /// the play, if that is wanted, and what the paths of the spurious part test;
  /// then what the whole play tests, then whatever the program does, then also
  /// what is assumed.
  std::vector<std::vector<term::Term>> propose_branches(const Play& play,
                                                        Candidates candidates);

  /// Why the play that was looked at last is not real.
  struct Reason {
    std::uint32_t node = 0;            ///< The root of the contradictory part.
    std::vector<term::Term> conflict;  ///< What would have to hold there.
    std::vector<std::vector<ir::EdgeId>> paths;  ///< By node of the play.
  };
  Reason reason(const Play& play);

 private:
  using Terms = std::vector<term::Term>;

  /// A condition of the path, in the form that it has at some node.
  struct Condition {
    term::Term term;
    std::uint32_t origin;
  };
  using Conditions = std::vector<Condition>;

  void choose_paths_above(const Play& play, std::uint32_t root);
  std::vector<ir::EdgeId> choose_path(const Play::Node& node);
  const std::vector<ir::EdgeId>& path_of(const Play::Node& node);
  Conditions conditions_before(const Play& play, std::uint32_t node);
  std::optional<std::uint32_t> find_contradiction(const Play& play);
  bool contradict(const Terms& terms);
  std::vector<std::uint32_t> core(const Conditions& conditions,
                                  const Terms& given);
  std::vector<Proposal> weakest_preconditions(
      const Play& play, std::uint32_t root,
      const std::vector<std::uint32_t>& core);
  Terms core_branches(const Play& play, std::uint32_t root);
  Terms branches_below(const Play& play, std::uint32_t root) const;
  void add_tests(const std::vector<ir::EdgeId>& path, Terms& to) const;
  void add_condition(ir::EdgeId edge, Terms& to) const;
  Terms facts_before(const Play::Node& node);
  std::vector<Proposal> facts(const Play& play, std::uint32_t root,
                              Terms before);
  std::vector<Proposal> around_inputs(const Play& play, std::uint32_t root);
  std::vector<Proposal> ranges(const Play& play, std::uint32_t root);
  Terms mentioned(std::uint32_t node, const abstraction::Values& values);
  abstraction::SymbolicExecution::Choice fresh_choices();
  void add_atoms(ir::LocationId location, term::Term formula,
                 std::vector<Proposal>& to);
  void add_predicate(ir::LocationId location, term::Term atom,
                     std::vector<Proposal>& to);
  void find_families();

  abstraction::AbstractSteps& steps_;
  abstraction::Solutions& solutions_;
  smt::Solver& solver_;
  const abstraction::Start& start_;
  DiscoveryOptions options_;
  const ir::Program& program_;
  term::Pool& pool_;

  std::map<term::Term, Terms> families_;  // Constants by variable.

  // What was chosen before: the nodes of large strategies are much the same.
  using Step = std::tuple<ir::LocationId, bool, ir::EdgeId, Terms, Terms>;
  std::map<Step, std::vector<ir::EdgeId>> chosen_;

  // Of the play at hand, by node: paths above the contradictory part only when
  // they are asked for, and what has to hold before each step.
  std::vector<std::vector<ir::EdgeId>> paths_;
  std::vector<Conditions> at_;
  std::uint32_t origins_ = 0;
  std::uint32_t root_ = 0;  // Of the contradictory part.
  Terms conflict_;
};

}  // namespace agon::refine
