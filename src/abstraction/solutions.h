// SPDX-License-Identifier: Apache-2.0
/// All the ways in which predicates can turn out under constraints.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "abstraction/boundary.h"
#include "smt/solver.h"
#include "support/context.h"

namespace agon::abstraction {

/// The exact cheap layers before the solver. Switching one off changes nothing
/// but the time.
struct Layers {
  bool reads = true;      ///< Memory that is read at one place is a variable.
  bool propagate = true;  ///< Known literals and equalities are put in.
  bool slice = true;      ///< Parts that share no variable are asked apart.
  bool memo = true;       ///< No question is asked twice.
  bool boundary = true;   ///< BoundaryCheck before the solver.

  /// Those that look into a question and answer what they can.
  void set_quick(bool on) { propagate = slice = boundary = on; }
};

class Solutions {
 public:
  Solutions(term::Pool& pool, smt::Solver& solver, support::Context& context,
            Layers layers = {});

  /// The combinations of answers to Boolean terms that are possible under a
  /// conjunction of constraints, sorted; none if these contradict each other.
  /// The first `consistent` constraints are known not to. Where the solver does
  /// not know, a combination counts as possible. If the context is exhausted,
  /// or there are more than `max_rows`, some may be missing.
  std::vector<Answers> all(std::span<const term::Term> constraints,
                           std::size_t consistent,
                           std::span<const term::Term> questions,
                           std::size_t max_rows = kNoLimit);
  static constexpr std::size_t kNoLimit = ~std::size_t{0};

  /// What a term is about. Terms that share no leaves have nothing to do with
  /// each other.
  struct About {
    std::vector<term::Term> leaves;  ///< Variables and addresses.
    /// The same without those that say only where a memory is read. This is
    /// enough if OnePlace has no objection.
    std::vector<term::Term> outer;
    std::vector<term::Term> reads;  ///< Of variables: read(a, i).
    std::vector<term::Term> whole;  ///< Memories that are used otherwise.
  };
  const About& about(term::Term term);

  const Layers& layers() const { return layers_; }

  /// Forgets the answers that were given, and what was missing in them.
  void forget() {
    memo_.clear();
    has_failed_ = false;
  }

  /// Whether the solver left so much open that combinations are missing. Then
  /// nothing follows from what was computed since the last `forget`.
  bool has_failed() const { return has_failed_; }

 private:
  using Terms = std::vector<term::Term>;

  /// A conjunction and questions; `places` says which they are in the row.
  struct Part {
    Terms constraints;
    Terms questions;
    std::vector<std::size_t> places;
    bool is_consistent = true;
  };

  bool flatten(Terms& constraints, Terms& questions);
  term::Term flat(term::Term term);
  bool propagate(Terms& constraints, Terms& questions);
  std::vector<Part> divide(const Terms& constraints, const Terms& consistent,
                           const Terms& questions);
  const std::vector<Answers>& solve(Part& part, std::size_t max_rows);
  std::vector<Answers> enumerate(const Part& part, std::size_t max_rows);
  std::vector<Answers> guess(const Part& part);

  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const;
  };

  term::Pool& pool_;
  smt::Solver& solver_;
  support::Context& context_;
  Layers layers_;
  BoundaryCheck boundary_;
  bool has_failed_ = false;
  std::unordered_map<std::vector<std::uint32_t>, std::vector<Answers>, KeyHash>
      memo_;
  std::vector<Answers> last_;  // What is not in the memo.
  bool is_cut_ = false;        // There were too many rows.
  std::unordered_map<term::Term, About> about_;
  std::unordered_map<term::Term, term::Term> flat_;   // Terms without reads.
  std::unordered_map<term::Term, term::Term> names_;  // Of reads.
};

/// Checks that of each memory the same place is read wherever it is mentioned.
/// What is read there may be anything, whatever the place is.
class OnePlace {
 public:
  bool add(const Solutions::About& about);
  bool has_reads() const { return has_reads_; }

 private:
  std::unordered_map<term::Term, term::Term> reads_;  // By memory.
  bool has_reads_ = false;
};

}  // namespace agon::abstraction
