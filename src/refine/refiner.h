// SPDX-License-Identifier: Apache-2.0
/// Chooses the predicates of the abstraction so that it does not admit plays
/// that are not real.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "refine/discovery.h"
#include "refine/minimise.h"
#include "support/context.h"

namespace agon::refine {

enum class PredicateSource : std::uint8_t {
  WeakestPreconditions,  ///< Of the conditions that matter on the path.
  Branches,              ///< Branch conditions only, as in the papers.
};

/// How hard to look for few predicates (TWO §6.3).
enum class Minimise : std::uint8_t {
  None,     ///< Whatever was found is kept.
  Greedy,   ///< What can be left out is left out (TWO Fig. 10).
  Optimal,  ///< As few as rule out all plays so far.
};

struct RefinerOptions {
  PredicateSource predicates = PredicateSource::WeakestPreconditions;
  Minimise minimise = Minimise::None;
  MinimiseBounds bounds;
};

class Refiner {
 public:
  Refiner(abstraction::AbstractSteps& steps, abstraction::Solutions& solutions,
          smt::Solver& solver, const abstraction::Start& start,
          const RefinerOptions& options, support::Context& context);

  /// The predicates of the next abstraction.
  const abstraction::Precision& precision() const { return precision_; }

  /// Takes plays that the abstraction admits and that are not real. False if
  /// nothing was found against any of them.
  bool refine(std::span<const Play> plays);

  /// Why the last of these is not real.
  Discovery::Reason reason() const { return discovery_.reason(); }

 private:
  /// Predicates that are taken together. Several comparisons of one variable
  /// with constants exclude each other, and count as one with many values.
  struct Candidate {
    std::vector<Proposal> placed;
    std::vector<term::Term> seeds;  ///< Placed by inference instead.
  };

  bool add(const Play& play);
  bool add_branches(const Play& play);
  bool add_few(const Play& play);
  std::vector<std::uint32_t> collect(const Play& play);
  std::vector<std::uint32_t> collect_branches(const Play& play);
  std::uint32_t candidate(term::Term predicate);
  void choose(const std::vector<std::uint32_t>& recent);
  std::vector<Choice> sets_against(const Play& play,
                                   const std::vector<std::uint32_t>& recent);
  bool rules_out(const Choice& choice, std::span<const Play> plays);
  abstraction::Precision precision_of(const Choice& choice) const;
  Choice everything() const;

  abstraction::AbstractSteps& steps_;
  const abstraction::Start& start_;
  const RefinerOptions options_;
  support::Context& context_;
  Discovery discovery_;
  abstraction::Precision precision_;

  std::vector<Candidate> candidates_;
  std::map<term::Term, std::uint32_t> index_;  // Of candidates.
  Choice chosen_;                              // Candidates in the precision.
  std::vector<Play> ruled_out_;                // All plays so far,
  std::vector<std::vector<Choice>> sets_;      // and what rules out each.
};

}  // namespace agon::refine
