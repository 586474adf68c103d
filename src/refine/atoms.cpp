// SPDX-License-Identifier: Apache-2.0
#include "refine/atoms.h"

#include <algorithm>
#include <utility>

#include "term/substitute.h"

namespace agon::refine {

using term::Kind;
using term::Term;

bool is_connective(Term formula) {
  switch (formula.kind()) {
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
      return true;
    case Kind::Ite:
      return formula.sort().is_bool();
    case Kind::Equal:
      return formula.operand(0).sort().is_bool();
    default:
      return false;
  }
}

std::optional<Comparison> comparison_with_constant(Term atom) {
  if (atom.kind() != Kind::Equal) return std::nullopt;
  Term left = atom.operand(0);
  Term constant = atom.operand(1);
  if (left.is_constant()) std::swap(left, constant);
  if (!constant.is_constant()) return std::nullopt;
  return Comparison{left, constant};
}

namespace {

class Atoms {
 public:
  Atoms(term::Pool& pool, std::size_t bound) : pool_(pool), bound_(bound) {}

  void add(Term formula) {
    if (found_.size() >= bound_ || formula.is_constant()) return;
    if (is_connective(formula)) {
      for (const Term part : formula.operands()) add(part);
      return;
    }
    if (const Term read = written_read(formula); read.valid()) {
      return add(term::substitute(pool_, formula, {{read, resolved(read)}}));
    }
    if (const Term choice = find_choice(formula); choice.valid()) {
      add(choice.operand(0));
      add(term::substitute(pool_, formula, {{choice, choice.operand(1)}}));
      add(term::substitute(pool_, formula, {{choice, choice.operand(2)}}));
      return;
    }
    if (std::ranges::find(found_, formula) == found_.end()) {
      found_.push_back(formula);
    }
  }

  std::vector<Term> take() { return std::move(found_); }

 private:
  /// An innermost read of the same size as the write that it follows, or of a
  /// choice between arrays.
  static Term written_read(Term formula) {
    Term result;
    term::visit_subterms(formula, [&](Term t) {
      if (result.valid() || t.kind() != Kind::Read) return;
      const Term array = t.operand(0);
      if (array.kind() == Kind::Ite ||
          (array.kind() == Kind::Write && array.count() == t.count())) {
        result = t;
      }
    });
    return result;
  }

  Term resolved(Term read) {
    const Term array = read.operand(0);
    const Term index = read.operand(1);
    const unsigned count = read.count();
    if (array.kind() == Kind::Ite) {
      return pool_.ite(array.operand(0),
                       pool_.read(array.operand(1), index, count),
                       pool_.read(array.operand(2), index, count));
    }
    return pool_.ite(pool_.equal(array.operand(1), index), array.operand(2),
                     pool_.read(array.operand(0), index, count));
  }

  /// An innermost choice inside an atom, but not between arrays.
  static Term find_choice(Term atom) {
    Term result;
    term::visit_subterms(atom, [&](Term t) {
      if (!result.valid() && t.kind() == Kind::Ite && !t.sort().is_array()) {
        result = t;
      }
    });
    return result;
  }

  term::Pool& pool_;
  std::size_t bound_;
  std::vector<Term> found_;
};

}  // namespace

std::vector<Term> atoms(term::Pool& pool, Term formula, std::size_t bound) {
  Atoms result(pool, bound);
  result.add(formula);
  return result.take();
}

}  // namespace agon::refine
