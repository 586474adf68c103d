// SPDX-License-Identifier: Apache-2.0
#include "term/substitute.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <algorithm>

#include "support/error.h"

namespace agon::term {
namespace {

/// Calls `leave` for each distinct subterm, operands first, and `enter` before
/// that to ask whether to look into a term at all. The stack is explicit,
/// because terms are deeper than the machine's.
template <class Enter, class Leave>
void walk(Term root, const Enter& enter, const Leave& leave) {
  struct Frame {
    Term term;
    std::uint32_t next;
  };
  std::vector<Frame> stack;
  tsl::robin_set<Term> seen;
  const auto push = [&](Term term) {
    if (seen.insert(term).second && enter(term)) stack.push_back({term, 0});
  };
  push(root);
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next < top.term.operands().size()) {
      push(top.term.operand(top.next++));
    } else {
      const Term term = top.term;
      stack.pop_back();
      leave(term);
    }
  }
}

}  // namespace

Term transform(Pool& pool, Term term,
               const std::function<Term(Term, std::span<const Term>)>& map) {
  tsl::robin_map<Term, Term> mapped;
  std::vector<Term> operands;
  walk(
      term, [](Term) { return true; },
      [&](Term t) {
        operands.clear();
        for (const Term operand : t.operands()) {
          operands.push_back(mapped.at(operand));
        }
        Term result = map(t, operands);
        if (!result) {
          result = std::ranges::equal(operands, t.operands())
                       ? t
                       : pool.rebuild(t, operands);
        }
        mapped.emplace(t, result);
      });
  return mapped.at(term);
}

Term substitute(Pool& pool, Term term, const Substitution& substitution) {
  if (substitution.empty()) return term;
  tsl::robin_map<Term, Term> mapped;
  std::vector<Term> operands;
  walk(
      term,
      [&](Term t) {
        const auto found = substitution.find(t);
        if (found == substitution.end()) return true;
        AGON_ASSERT(found->second.sort() == t.sort());
        mapped.emplace(t, found->second);
        return false;
      },
      [&](Term t) {
        operands.clear();
        for (const Term operand : t.operands()) {
          operands.push_back(mapped.at(operand));
        }
        mapped.emplace(t, std::ranges::equal(operands, t.operands())
                              ? t
                              : pool.rebuild(t, operands));
      });
  return mapped.at(term);
}

void visit_subterms(Term term, const std::function<void(Term)>& visit) {
  walk(term, [](Term) { return true; }, visit);
}

std::vector<Term> variables_of(Term term) {
  std::vector<Term> variables;
  visit_subterms(term, [&](Term t) {
    if (t.kind() == Kind::Variable) variables.push_back(t);
  });
  std::ranges::sort(variables);
  return variables;
}

}  // namespace agon::term
