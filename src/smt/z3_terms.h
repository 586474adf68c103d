// SPDX-License-Identifier: Apache-2.0
/// Terms in the language of Z3. Internal to the folder.
#pragma once

#include <tsl/robin_map.h>
#include <z3.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "smt/z3_solver.h"
#include "term/term.h"

namespace agon::smt {

class Z3Terms {
 public:
  Z3Terms();
  ~Z3Terms();
  Z3Terms(const Z3Terms&) = delete;
  Z3Terms& operator=(const Z3Terms&) = delete;

  Z3_context context() const { return context_; }

  /// What occurs in a term.
  enum Feature : std::uint8_t { kAddress = 1, kArray = 2, kCopy = 4 };

  /// The translation, which lives as long as this object.
  Z3_ast translate(term::Term term);

  /// A set of `Feature`s of a term that was translated. A copy counts only if
  /// it became an array that can be anything.
  std::uint8_t features(term::Term term) const { return features_[term.id()]; }

  /// The longest way from a term that was translated down to a leaf.
  std::uint32_t depth(term::Term term) const { return depths_[term.id()]; }

  /// The addresses in a term, in order of id. Remembered for each argument.
  const std::vector<term::Term>& addresses(term::Term term);

  /// That the first is neither 0 nor any of the others of the same width.
  Z3_ast address_axiom(term::Term address, std::span<const term::Term> others);

  /// A Boolean variable of Z3 to stand for a Boolean term, and its negation.
  struct Proxy {
    Z3_ast positive = nullptr;
    Z3_ast negative = nullptr;
  };
  Proxy proxy(term::Term term);
  Z3_ast fresh_boolean();

  /// The value of a variable or an address in a model.
  term::Value value(Z3_model model, term::Term leaf);

 private:
  Z3_ast keep(Z3_ast ast);
  Z3_sort sort_of(term::Sort sort);
  Z3_ast build(term::Term term);
  Z3_ast constant(term::Term term);
  Z3_ast bits(term::Bits value, unsigned width);
  Z3_ast small_number(unsigned number, term::Sort sort);
  Z3_ast arithmetic(term::Term term, Z3_ast a, Z3_ast b);
  Z3_ast bit_operator(term::Term term, Z3_ast a, Z3_ast b);
  Z3_ast order(term::Term term, Z3_ast a, Z3_ast b);
  Z3_ast integer_division(term::Term term, Z3_ast a, Z3_ast b);
  Z3_ast division(term::Term term, Z3_ast a, Z3_ast b);
  Z3_ast narrow_division(term::Kind kind, unsigned zeros, Z3_ast a, Z3_ast b);
  Z3_ast plus(Z3_ast index, unsigned k, term::Sort sort);
  Z3_ast read(term::Term term);
  Z3_ast write(term::Term term);
  Z3_ast copy(term::Term term);
  Z3_ast at(term::Term term) const { return asts_[term.id()]; }

  void read_array(Z3_model model, Z3_ast ast, term::Value& value);
  void read_function(Z3_model model, Z3_func_decl function, term::Value& value);
  term::Integer number(Z3_ast ast);

  Z3_context context_;
  std::vector<Z3_ast> kept_;
  std::vector<Z3_ast> asts_;            ///< By id; null if not translated.
  std::vector<std::uint8_t> features_;  ///< By id.
  std::vector<std::uint32_t> depths_;   ///< By id.
  std::vector<term::Bits> largest_;     ///< By id; see bounds.h.
  std::map<term::Sort, Z3_sort> sorts_;
  tsl::robin_map<term::Term, std::vector<term::Term>> addresses_;
  tsl::robin_map<term::Term, Proxy> proxies_;
};

}  // namespace agon::smt
