// SPDX-License-Identifier: Apache-2.0
#include "abstraction/predicate_inference.h"

#include <algorithm>
#include <deque>
#include <set>

#include "abstraction/values.h"
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

namespace {

class Inference {
 public:
  Inference(const Blocks& blocks, const Liveness& liveness,
            std::span<const Term> seeds, std::size_t bound)
      : blocks_(blocks),
        liveness_(liveness),
        pool_(*blocks.program().pool),
        rewrite_(blocks.program()),
        seeds_(seeds.begin(), seeds.end()),
        bound_(bound),
        at_(blocks.body().num_locations()),
        incoming_(blocks.body().num_locations()) {}

  Precision run() {
    const ir::Cfa& body = blocks_.body();
    for (std::size_t i = 0; i < body.edges().size(); ++i) {
      incoming_[body.edges()[i].to.index()].push_back(ir::EdgeId::at(i));
      plant(body.edges()[i]);
    }
    while (!work_.empty()) {
      const auto [location, predicate] = work_.front();
      work_.pop_front();
      for (const ir::EdgeId id : incoming_[location.index()]) {
        carry(body.edge(id), predicate);
      }
    }
    Precision result(body.num_locations());
    for (const Block& block : blocks_.all()) {
      for (const Term p : at_[block.start.index()]) result.add(block.start, p);
    }
    return result;
  }

 private:
  /// Tested conditions are needed before the test.
  void plant(const ir::Edge& edge) {
    const auto* const test = std::get_if<ir::Assume>(&edge.statement);
    if (test == nullptr) return;
    term::visit_subterms(test->condition, [&](Term t) {
      if (!t.sort().is_bool() || t.is_constant()) return;
      const Term predicate = canonical(pool_, t);
      if (seeds_.contains(predicate)) add(edge.from, predicate);
    });
  }

  void carry(const ir::Edge& edge, Term predicate) {
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

  void add(ir::LocationId location, Term predicate) {
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

  const Blocks& blocks_;
  const Liveness& liveness_;
  term::Pool& pool_;
  Rewriter rewrite_;
  std::set<Term> seeds_;
  std::size_t bound_;
  std::vector<std::vector<Term>> at_;              // By location.
  std::vector<std::vector<ir::EdgeId>> incoming_;  // By location.
  std::deque<std::pair<ir::LocationId, Term>> work_;
};

}  // namespace

Precision infer_predicates(const Blocks& blocks, const Liveness& liveness,
                           std::span<const Term> seeds, std::size_t bound) {
  return Inference(blocks, liveness, seeds, bound).run();
}

}  // namespace agon::abstraction
