// SPDX-License-Identifier: Apache-2.0
/// Terms over bit-vectors as terms over mathematical integers.
///
/// Conversions between types, comparisons, divisions, shifts by constants and
/// operations on bits where one side is constant are exact: the integer is the
/// number that the bits stand for. Sums, differences and products are those of
/// integers, so they are exact where C's do not overflow. For other operations
/// on bits there is no counterpart.
#pragma once

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/readings.h"
#include "ir/program.h"

namespace agon::analysis {

class IntegerTerms {
 public:
  /// An integer for a term that has no counterpart: anything that a
  /// bit-vector of its width can be, read with a sign.
  using Any = std::function<term::Term(term::Term)>;

  /// From terms of `machine` to those of `integers`, which has the same
  /// variables, by id, and the same addresses, by name. `readings` is that of
  /// the machine's variables.
  IntegerTerms(const ir::Program& machine, const ir::Program& integers,
               std::vector<Reading> readings);

  /// A Boolean, a number that is read in the given way, or an array.
  term::Term translate(term::Term term, Reading reading, const Any& any);

  /// The same for what is assigned to a variable.
  term::Term translate_for(ir::VariableId target, term::Term term,
                           const Any& any) {
    return translate(term, readings_[target.index()], any);
  }

  Reading reading(ir::VariableId variable) const {
    return readings_[variable.index()];
  }

  /// That an integer is what bits of this width stand for.
  term::Term in_range(term::Term integer, unsigned width, Reading reading);

  /// Reads of single elements that were translated since the last call, each
  /// with that it holds what an element can hold.
  std::vector<term::Term> take_ranges() { return std::move(ranges_); }

  /// Forgets what was translated, and so which integers stood for what.
  void forget();

 private:
  struct Number {
    term::Term term;
    Reading reading = Reading::Either;
  };

  void enter(term::Term term, const Any& any);
  term::Term boolean(term::Term term);
  Number number(term::Term term, const Any& any);
  term::Term array(term::Term term);
  /// The reading of the elements of an array.
  Reading elements_of(term::Term array) const;
  term::Term array_as(term::Term term, Reading reading);

  Number of(term::Term term) const;
  term::Term as(term::Term term, Reading reading);
  term::Term adapt(const Number& number, unsigned width, Reading reading);
  Reading common(term::Term a, term::Term b) const;

  term::Term equal(term::Term a, term::Term b);
  Number sum(term::Term term);
  Number choice(term::Term term);
  Number division(term::Term term);
  Number shift(term::Term term, const Any& any);
  Number bitwise(term::Term term, const Any& any);
  Number read(term::Term term);
  term::Term write(term::Term term);

  term::Term power(unsigned exponent);
  term::Term remainder(const Number& number, unsigned bits);
  term::Term quotient(const Number& number, unsigned bits);
  Number extract(const Number& number, unsigned width, unsigned low,
                 unsigned count);
  term::Term masked(const Number& number, unsigned width, term::Bits mask);

  const ir::Program& machine_;
  const ir::Program& integers_;
  term::Pool& pool_;
  std::vector<Reading> readings_;
  std::unordered_map<term::Term, term::Term> terms_;  // Booleans and arrays.
  std::unordered_map<term::Term, Number> numbers_;
  std::vector<term::Term> ranges_;
};

}  // namespace agon::analysis
