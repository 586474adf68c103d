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

// This is what abstraction spends most of its time in. So leaves, of which
// there are the most, are looked up where they occur and not remembered.
Term substitute(Pool& pool, Term root, const Substitution& substitution) {
  if (substitution.empty()) return root;
  const auto replaced = [&](Term t) {
    const auto found = substitution.find(t);
    if (found == substitution.end()) return Term();
    AGON_ASSERT(found->second.sort() == t.sort());
    return found->second;
  };
  if (const Term other = replaced(root); other.valid()) return other;

  struct Frame {
    Term term;
    std::uint32_t next;
  };
  std::vector<Frame> stack{{root, 0}};
  tsl::robin_map<Term, Term> mapped;  // Invalid before a term is left.
  std::vector<Term> operands;
  while (!stack.empty()) {
    const std::span<const Term> parts = stack.back().term.operands();
    if (stack.back().next < parts.size()) {
      const Term part = parts[stack.back().next++];
      if (part.operands().empty()) continue;
      const auto [at, is_new] = mapped.try_emplace(part);
      if (!is_new) continue;
      at.value() = replaced(part);
      if (!at.value().valid()) stack.push_back({part, 0});
      continue;
    }
    operands.clear();
    for (const Term part : parts) {
      const Term other =
          part.operands().empty() ? replaced(part) : mapped.at(part);
      operands.push_back(other.valid() ? other : part);
    }
    const Term term = stack.back().term;
    stack.pop_back();
    mapped[term] = std::ranges::equal(operands, parts)
                       ? term
                       : pool.rebuild(term, operands);
  }
  return mapped.at(root);
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
