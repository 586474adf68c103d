// SPDX-License-Identifier: Apache-2.0
#include "smt/inspect.h"

#include <tsl/robin_set.h>

#include <algorithm>

#include "term/bounds.h"

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

std::optional<unsigned> most_copied(Term copy) {
  constexpr unsigned kMostWritten = 256;
  const Term length = copy.operand(2);
  if (length.sort().is_bits()) {
    const term::Bits most = term::largest_value(length);
    if (most > kMostWritten) return std::nullopt;
    return static_cast<unsigned>(most);
  }
  if (!length.is_constant() || length.integer() > kMostWritten) {
    return std::nullopt;
  }
  return length.integer() < 0 ? 0 : static_cast<unsigned>(length.integer());
}

}  // namespace agon::smt
