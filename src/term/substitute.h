// SPDX-License-Identifier: Apache-2.0
/// Walking over terms: substitution and what occurs in them.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "term/pool.h"

namespace agon::term {

/// Replaces every occurrence of the keys, all at once, and simplifies. Keys may
/// be any terms, not only variables.
using Substitution = std::unordered_map<Term, Term>;
Term substitute(Pool& pool, Term term, const Substitution& substitution);

/// The same for many terms, of which common parts are looked at once.
class Substituter {
 public:
  /// Both have to outlive it.
  Substituter(Pool& pool, const Substitution& substitution);
  ~Substituter();
  Substituter(const Substituter&) = delete;
  Substituter& operator=(const Substituter&) = delete;

  Term operator()(Term term);
  /// The same for what stands below a term, but not for the term itself.
  Term below(Term term);

 private:
  struct Tables;
  const std::unique_ptr<Tables> tables_;
};

/// Rebuilds a term from its leaves: `map` is called once for each distinct
/// subterm, after its operands were mapped, with the subterm and its mapped
/// operands; an invalid result means "the same with these operands".
Term transform(Pool& pool, Term term,
               const std::function<Term(Term, std::span<const Term>)>& map);

/// Calls `visit` once for each distinct subterm, operands first.
void visit_subterms(Term term, const std::function<void(Term)>& visit);

/// The variables that occur in a term, in order of id.
std::vector<Term> variables_of(Term term);

}  // namespace agon::term
