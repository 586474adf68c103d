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
struct Substituter::Tables {
  struct Frame {
    Term term;
    std::uint32_t next;
  };

  Tables(Pool& pool_of_terms, const Substitution& replacements)
      : pool(pool_of_terms), substitution(replacements) {}

  Term replaced(Term t) const {
    const auto found = substitution.find(t);
    if (found == substitution.end()) return {};
    AGON_ASSERT(found->second.sort() == t.sort());
    return found->second;
  }

  void enter(Term part) {
    if (part.operands().empty()) return;
    const auto [at, is_new] = mapped.try_emplace(part);
    if (!is_new) return;
    at.value() = replaced(part);
    if (!at.value().valid()) stack.push_back({part, 0});
  }

  Term with_mapped_operands(Term term) {
    const std::span<const Term> parts = term.operands();
    operands.clear();
    for (const Term part : parts) {
      const Term other =
          part.operands().empty() ? replaced(part) : mapped.at(part);
      operands.push_back(other.valid() ? other : part);
    }
    return std::ranges::equal(operands, parts) ? term
                                               : pool.rebuild(term, operands);
  }

  void finish() {
    while (!stack.empty()) {
      const Term term = stack.back().term;
      if (stack.back().next < term.operands().size()) {
        enter(term.operand(stack.back().next++));
        continue;
      }
      stack.pop_back();
      mapped[term] = with_mapped_operands(term);
    }
  }

  Pool& pool;
  const Substitution& substitution;
  tsl::robin_map<Term, Term> mapped;  // Invalid before a term is left.
  std::vector<Frame> stack;
  std::vector<Term> operands;
};

Substituter::Substituter(Pool& pool, const Substitution& substitution)
    : tables_(std::make_unique<Tables>(pool, substitution)) {}

Substituter::~Substituter() = default;

Term Substituter::operator()(Term term) {
  if (tables_->substitution.empty()) return term;
  if (term.operands().empty()) {
    const Term other = tables_->replaced(term);
    return other.valid() ? other : term;
  }
  tables_->enter(term);
  tables_->finish();
  return tables_->mapped.at(term);
}

Term Substituter::below(Term term) {
  for (const Term part : term.operands()) {
    tables_->enter(part);
    tables_->finish();
  }
  return tables_->with_mapped_operands(term);
}

Term substitute(Pool& pool, Term root, const Substitution& substitution) {
  if (substitution.empty()) return root;
  return Substituter(pool, substitution)(root);
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
