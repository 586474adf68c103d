// SPDX-License-Identifier: Apache-2.0
#include "refine/bounds.h"

#include <cstdint>

#include "term/substitute.h"

namespace agon::refine {
namespace {

using term::Kind;
using term::Term;

constexpr unsigned kWidest = 64;

/// The values of a term, numbered from the smallest to the largest.
class Scale {
 public:
  Scale(term::Pool& pool, smt::Solver& solver, Term value, bool is_signed)
      : pool_(pool),
        solver_(solver),
        value_(value),
        at_most_(is_signed ? Kind::SLessEqual : Kind::ULessEqual),
        last_(~std::uint64_t{0} >> (kWidest - value.width())),
        flip_(is_signed ? std::uint64_t{1} << (value.width() - 1) : 0) {}

  Term constant(std::uint64_t number) const {
    return pool_.bits(number ^ flip_, value_.width());
  }
  std::uint64_t last() const { return last_; }

  /// Invalid answers of the solver give weaker bounds, which are true as well.
  std::uint64_t least() const {
    std::uint64_t low = 0;
    std::uint64_t high = last_;  // Can be, or nothing smaller can.
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (is_never(pool_.binary(at_most_, value_, constant(middle)))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  std::uint64_t greatest() const {
    std::uint64_t low = 0;
    std::uint64_t high = last_;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (is_never(pool_.binary(at_most_, constant(middle + 1), value_))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  }
  Term order(Term small, Term large) const {
    return pool_.binary(at_most_, small, large);
  }

 private:
  bool is_never(Term condition) const {
    return solver_.check({&condition, 1}) == smt::Answer::Unsat;
  }

  term::Pool& pool_;
  smt::Solver& solver_;
  const Term value_;
  const Kind at_most_;
  const std::uint64_t last_;
  const std::uint64_t flip_;
};

bool mentions_address(Term value) {
  bool result = false;
  term::visit_subterms(value,
                       [&](Term t) { result |= t.kind() == Kind::Address; });
  return result;
}

}  // namespace

std::vector<Term> bounds(term::Pool& pool, smt::Solver& solver, Term shown,
                         Term value) {
  if (term::variables_of(value).empty()) return {pool.equal(shown, value)};
  if (mentions_address(value)) return {};  // Some layout's numbers.
  if (!value.sort().is_bits() || value.width() > kWidest) return {};
  std::vector<Term> result;
  for (const bool is_signed : {false, true}) {
    const Scale scale(pool, solver, value, is_signed);
    const std::uint64_t least = scale.least();
    const std::uint64_t greatest = scale.greatest();
    if (least == greatest) return {pool.equal(shown, scale.constant(least))};
    if (least > 0) {
      result.push_back(scale.order(scale.constant(least), shown));
    }
    if (greatest < scale.last()) {
      result.push_back(scale.order(shown, scale.constant(greatest)));
    }
  }
  return result;
}

}  // namespace agon::refine
