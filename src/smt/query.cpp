// SPDX-License-Identifier: Apache-2.0
#include "smt/query.h"

#include <algorithm>
#include <string>

#include "support/hash.h"

namespace agon::smt {
namespace {

using term::Kind;
using term::Term;

constexpr std::uint32_t kEndOfNodes = 0xffffffff;
constexpr std::uint32_t kAssumptions = 0xfffffffe;

std::uint32_t parameter(Term term) {
  switch (term.kind()) {
    case Kind::Extract:
      return term.low();
    case Kind::Read:
    case Kind::Write:
      return term.count();
    default:
      return 0;
  }
}

/// Everything but the operands and the name. Says how long it is.
void append_label(Term term, std::vector<std::uint32_t>& words) {
  const term::Sort sort = term.sort();
  words.push_back(static_cast<std::uint32_t>(term.kind()) |
                  static_cast<std::uint32_t>(sort.kind) << 8);
  words.push_back(std::uint32_t{sort.width} | std::uint32_t{sort.index_width}
                                                  << 16);
  words.push_back(parameter(term));
  if (!term.is_constant()) {
    words.push_back(static_cast<std::uint32_t>(term.operands().size()));
  } else if (sort.is_int()) {
    const std::string digits = term.integer().str();
    words.push_back(static_cast<std::uint32_t>(digits.size()));
    for (const char digit : digits) {
      words.push_back(static_cast<unsigned char>(digit));
    }
  } else {
    for (unsigned at = 0; at < std::max<unsigned>(sort.width, 1); at += 32) {
      words.push_back(static_cast<std::uint32_t>(term.value() >> at));
    }
  }
}

/// Calls `leave` for each subterm that is not `known`, operands first. `leave`
/// has to make it known.
template <class Known, class Leave>
void walk(Term root, const Known& known, const Leave& leave) {
  struct Frame {
    Term term;
    std::uint32_t next;
  };
  std::vector<Frame> stack;
  if (!known(root)) stack.push_back({root, 0});
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next < top.term.operands().size()) {
      const Term operand = top.term.operand(top.next++);
      if (!known(operand)) stack.push_back({operand, 0});
      continue;
    }
    const Term term = top.term;
    stack.pop_back();
    if (!known(term)) leave(term);
  }
}

}  // namespace

std::uint64_t QueryWriter::combine(Term term) const {
  std::vector<std::uint32_t> words;
  append_label(term, words);
  std::uint64_t hash = 1;
  for (const std::uint32_t word : words) hash = support::mix(hash * 31 + word);
  for (const Term operand : term.operands()) {
    hash = support::mix(hash * 31 + shapes_[operand.id()]);
  }
  return hash | 1;
}

std::uint64_t QueryWriter::shape(Term root) {
  walk(
      root,
      [this](Term term) {
        return term.id() < shapes_.size() && shapes_[term.id()] != 0;
      },
      [this](Term term) {
        if (term.id() >= shapes_.size()) {
          shapes_.resize(term.id() + term.id() / 2 + std::size_t{64});
        }
        shapes_[term.id()] = combine(term);
      });
  return shapes_[root.id()];
}

std::vector<Term> QueryWriter::sort_by_shape(std::span<const Term> terms) {
  std::vector<Term> sorted(terms.begin(), terms.end());
  for (const Term term : sorted) shape(term);
  const auto key = [this](Term t) {
    return std::pair(shapes_[t.id()], t.id());
  };
  std::ranges::sort(sorted, {}, key);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

void QueryWriter::write_node(Term term, Query& query) {
  if (term.kind() == Kind::Variable || term.kind() == Kind::Address) {
    query.leaves.push_back(term);
  }
  append_label(term, query.key);
  for (const Term operand : term.operands()) {
    query.key.push_back(numbers_.at(operand));
  }
}

std::uint32_t QueryWriter::number(Term root, Query& query) {
  walk(
      root, [this](Term term) { return numbers_.contains(term); },
      [&](Term term) {
        write_node(term, query);
        numbers_.emplace(term, static_cast<std::uint32_t>(numbers_.size()));
      });
  return numbers_.at(root);
}

Query QueryWriter::write(std::span<const Term> formulas,
                         std::span<const Term> assumptions) {
  Query query;
  numbers_.clear();
  std::vector<std::uint32_t> roots{kEndOfNodes};
  for (const Term formula : sort_by_shape(formulas)) {
    roots.push_back(number(formula, query));
  }
  roots.push_back(kAssumptions);
  query.assumptions = sort_by_shape(assumptions);
  for (const Term assumption : query.assumptions) {
    roots.push_back(number(assumption, query));
  }
  query.key.insert(query.key.end(), roots.begin(), roots.end());
  return query;
}

}  // namespace agon::smt
