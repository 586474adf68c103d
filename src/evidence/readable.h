// SPDX-License-Identifier: Apache-2.0
/// What a certificate shows to people, computed from what it says exactly.
#pragma once

#include <string>

#include "evidence/certificate.h"
#include "ir/program.h"
#include "term/evaluate.h"

namespace agon::evidence {

/// Prints predicates about a program.
///
/// How a term is printed can depend on the terms that were there before it. So
/// they are read anew, into a pool that holds nothing but names; the same
/// predicates in the same order are printed alike by everyone.
class PredicatePrinter {
 public:
  explicit PredicatePrinter(const ir::Program& program);

  /// Fills in the texts of a predicate. Throws InputError if it is none.
  void print(CertifiedPredicate& predicate);

 private:
  ir::Program names_;
};

/// Reads a predicate about a program. Throws InputError.
term::Term parse_predicate(const ir::Program& program,
                           const std::string& exact);

/// What a state says, in C.
std::vector<std::string> holds(const CertifiedComponent& component,
                               const CertifiedState& state);

/// Where a location is in the source: where the first statement behind it is,
/// or if there is none the one before it; empty if there is no place.
std::string place_of(const ir::Program& program, const ir::Cfa& body,
                     ir::LocationId location);

/// What scalars of a program hold in a model, by name, to be added to a
/// sentence; empty if nothing is known of them.
std::string values_text(const ir::Program& program,
                        const term::Assignment& model);

}  // namespace agon::evidence
