// SPDX-License-Identifier: Apache-2.0
#include "smt/inspect.h"

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

bool is_short_copy(Term copy, unsigned& count) {
  constexpr unsigned kMostWritten = 256;
  const Term length = copy.operand(2);
  if (!length.is_constant()) return false;
  const term::Integer value =
      length.sort().is_int() ? length.integer() : term::Integer(length.value());
  if (value > kMostWritten) return false;
  count = value < 0 ? 0 : static_cast<unsigned>(value);
  return true;
}

}  // namespace agon::smt
