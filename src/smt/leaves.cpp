// SPDX-License-Identifier: Apache-2.0
#include "smt/leaves.h"

#include <tsl/robin_set.h>

#include <algorithm>

namespace agon::smt {

using term::Kind;
using term::Term;

std::vector<Term> leaves_of(std::span<const Term> terms) {
  std::vector<Term> leaves;
  std::vector<Term> stack(terms.begin(), terms.end());
  tsl::robin_set<Term> seen(terms.begin(), terms.end());
  while (!stack.empty()) {
    const Term term = stack.back();
    stack.pop_back();
    for (const Term operand : term.operands()) {
      if (seen.insert(operand).second) stack.push_back(operand);
    }
  }
  for (const Term term : seen) {
    if (term.kind() == Kind::Variable || term.kind() == Kind::Address) {
      leaves.push_back(term);
    }
  }
  std::ranges::sort(leaves);
  return leaves;
}

}  // namespace agon::smt
