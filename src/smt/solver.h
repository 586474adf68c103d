// SPDX-License-Identifier: Apache-2.0
/// The one interface to SMT solvers.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "term/evaluate.h"
#include "term/pool.h"

namespace agon::smt {

/// `Unknown` is a value like the others: a limit was reached, the solver died,
/// or the question is beyond it. Callers treat it as "may be", never as proof.
enum class Answer : std::uint8_t { Sat, Unsat, Unknown };

/// What one check may use; zero means no limit. Resources are reproducible,
/// unlike time, but mean something different for each solver.
struct CheckLimits {
  std::uint64_t resources = 0;
  std::chrono::milliseconds time{0};
};

/// A stack of asserted formulas and questions about them.
///
/// Terms of one pool only. Addresses mean what term.h says: wherever some occur
/// they are different from each other and from 0. A Copy that simplification
/// could not read out is taken as any array, so that Unsat stays a proof, and
/// what would be Sat is Unknown.
class Solver {
 public:
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  virtual void push() = 0;
  virtual void pop() = 0;
  virtual void add(term::Term formula) = 0;

  /// Whether everything asserted can be true together with the assumptions,
  /// which are any Boolean terms.
  virtual Answer check(std::span<const term::Term> assumptions) = 0;
  Answer check() { return check({}); }

  /// After Sat: values of all variables and addresses that occur in what was
  /// asserted and assumed.
  virtual term::Assignment model() = 0;

  /// After Unsat: assumptions that suffice for it, in the order given.
  virtual std::vector<term::Term> core() = 0;

  /// After Unknown: why, for people.
  virtual std::string reason() const = 0;

  /// For every later check.
  virtual void set_limits(const CheckLimits& limits) = 0;

  /// The resources that all checks have used; 0 if nobody counts them.
  virtual std::uint64_t spent() const { return 0; }

  /// How many checks ended at a limit that is higher the next time.
  virtual std::size_t num_postponed() const { return 0; }

  /// From another thread: a check that is running answers Unknown soon. Lost if
  /// none is running.
  virtual void interrupt() = 0;
};

}  // namespace agon::smt
