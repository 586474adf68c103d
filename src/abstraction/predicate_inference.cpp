// SPDX-License-Identifier: Apache-2.0
#include "abstraction/predicate_inference.h"

#include <algorithm>

#include "term/substitute.h"

namespace agon::abstraction {

using term::Kind;
using term::Term;

Term canonical(term::Pool& pool, Term predicate) {
  switch (predicate.kind()) {
    case Kind::Not:
    case Kind::SLessEqual:
    case Kind::ULessEqual:
      return pool.negation(predicate);
    default:
      return predicate;
  }
}

PredicateInference::PredicateInference(const Blocks& blocks,
                                       const Liveness& liveness)
    : blocks_(blocks),
      liveness_(liveness),
      pool_(*blocks.program().pool),
      rewrite_(blocks.program()),
      incoming_(blocks.body().num_locations()) {
  const std::span<const ir::Edge> edges = blocks_.body().edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    incoming_[edges[i].to.index()].push_back(ir::EdgeId::at(i));
    const auto* const test = std::get_if<ir::Assume>(&edges[i].statement);
    if (test == nullptr) continue;
    term::visit_subterms(test->condition, [&](Term t) {
      if (!t.sort().is_bool() || t.is_constant()) return;
      tests_[canonical(pool_, t)].push_back(edges[i].from);
    });
  }
}

Precision PredicateInference::infer(std::span<const Term> seeds,
                                    std::size_t bound) {
  bound_ = bound;
  at_.assign(blocks_.body().num_locations(), {});
  for (const Term seed : seeds) {  // Needed before the test.
    const auto tests = tests_.find(seed);
    if (tests == tests_.end()) continue;
    for (const ir::LocationId from : tests->second) add(from, seed);
  }
  while (!work_.empty()) {
    const auto [location, predicate] = work_.front();
    work_.pop_front();
    for (const ir::EdgeId id : incoming_[location.index()]) {
      carry(blocks_.body().edge(id), predicate);
    }
  }
  Precision result(blocks_.body().num_locations());
  for (const Block& block : blocks_.all()) {
    for (const Term p : at_[block.start.index()]) result.add(block.start, p);
  }
  return result;
}

void PredicateInference::carry(const ir::Edge& edge, Term predicate) {
  if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
    Values value;
    value.set(assign->target, assign->value);
    add(edge.from, rewrite_(predicate, value));
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
    const std::vector<Term> used = term::variables_of(predicate);
    const Term chosen = blocks_.program()[havoc->target].term;
    if (std::ranges::count(used, chosen) == 0) add(edge.from, predicate);
  } else {
    add(edge.from, predicate);
  }
}

void PredicateInference::add(ir::LocationId location, Term predicate) {
  predicate = canonical(pool_, predicate);
  auto& here = at_[location.index()];
  if (predicate.is_constant() || here.size() >= bound_) return;
  for (const Term variable : term::variables_of(predicate)) {
    const ir::VariableId id = blocks_.program().variable_of(variable);
    if (!id.valid() || !liveness_.is_live(location, id)) return;
  }
  if (std::ranges::find(here, predicate) != here.end()) return;
  here.push_back(predicate);
  work_.emplace_back(location, predicate);
}

}  // namespace agon::abstraction
