// SPDX-License-Identifier: Apache-2.0
/// Chooses the predicates of the abstraction so that it does not admit plays
/// that are not real.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "abstraction/predicate_inference.h"
#include "refine/budget.h"
#include "refine/discovery.h"
#include "refine/elimination.h"
#include "refine/minimise.h"
#include "refine/options.h"
#include "support/context.h"

namespace agon::refine {

class Refiner {
 public:
  Refiner(abstraction::AbstractSteps& steps, abstraction::Solutions& solutions,
          smt::Solver& solver, const abstraction::Start& start,
          const RefinerOptions& options, support::Context& context);
  Refiner(const Refiner&) = delete;
  Refiner& operator=(const Refiner&) = delete;

  /// The predicates of the next abstraction.
  const abstraction::Precision& precision() const { return precision_; }

  /// Tracks a predicate that somebody else proposes, if it can matter there:
  /// blocks forget what variables hold that cannot. For refinement that keeps
  /// whatever was found.
  void add(ir::LocationId location, term::Term predicate);

  /// Tracks only these, which are some of those that were tracked.
  void keep(abstraction::Precision precision) {
    precision_ = std::move(precision);
  }

  /// Takes plays that the abstraction admits and that are not real. False if
  /// nothing was found against any of them.
  bool refine(std::span<const Play> plays);

  /// Why the last of these is not real.
  Discovery::Reason reason(const Play& last) { return discovery_.reason(last); }

 private:
  /// Predicates that are taken together. Several comparisons of one variable
  /// with constants exclude each other, and count as one with many values;
  /// branches only if not all of a play are tried (TWO §6.3: each of them is
  /// chosen or not).
  struct Candidate {
    std::vector<term::Term> seeds;  ///< What they are inferred from, if any.
    abstraction::Precision precision;
    bool is_tracked;  ///< The elimination knows.
  };
  /// A play, and sets of candidates of which each eliminates it; or, as long as
  /// nothing may be spent on finding them, what was found against it.
  struct Ruled {
    std::uint32_t play;
    std::vector<Choice> sets;
    /// How many predicates there were when the sets were sought, if they were.
    std::size_t sought_among = 0;
  };

  bool add(const Play& play);
  bool add_branches(const Play& play);
  bool add_few(const Play& play);
  term::Term key_of(term::Term predicate) const;
  std::uint32_t candidate(term::Term predicate);
  std::uint32_t add_candidate(const Proposal& found);
  std::uint32_t add_candidate(term::Term seed);
  void track_candidates();
  bool eliminates(const Choice& choice, std::uint32_t play);
  Elimination::Outcome test(const Choice& choice, std::uint32_t play);
  std::vector<Choice> sets_against(std::uint32_t play,
                                   const std::vector<std::uint32_t>& recent);
  std::vector<Choice> smallest_sets(const Choice& order, std::uint32_t play);
  bool is_worth_seeking(const Ruled& ruled) const;
  void settle();
  void choose(const std::vector<std::uint32_t>& recent);
  Choice with_chosen(const std::vector<std::uint32_t>& recent) const;
  static bool has_set(const Ruled& ruled, const Choice& choice);
  bool rules_out_all(const Choice& choice);
  abstraction::Precision precision_of(const Choice& choice) const;
  void count_branches();
  Choice everything() const;

  abstraction::AbstractSteps& steps_;
  const RefinerOptions options_;
  support::Context& context_;
  const std::size_t num_locations_;
  Discovery discovery_;
  abstraction::PredicateInference inference_;
  Elimination elimination_;
  Budget budget_;
  abstraction::Precision precision_;
  std::vector<term::Term> seeds_;  // Of all predicates, if none is left out.

  std::vector<Candidate> candidates_;
  std::map<term::Term, std::uint32_t> index_;  // Of candidates.
  std::size_t num_predicates_ = 0;             // Of candidates, or their seeds.
  Choice chosen_;                              // Candidates in the precision.
  std::vector<Ruled> ruled_out_;
};

}  // namespace agon::refine
