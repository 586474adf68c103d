// SPDX-License-Identifier: Apache-2.0
#include "analysis/slice.h"

#include <algorithm>
#include <utility>

#include "analysis/prune.h"
#include "analysis/relevance.h"
#include "support/broken.h"
#include "support/error.h"

// Weiser's slicing (1984), by dependences. relevance.h finds out what matters;
// here the automata are built again from the locations that do. A way through
// other locations becomes a jump to the first relevant one on it, which is the
// same on all ways and the nearest in the tree of post-dominators.

namespace agon::analysis {
namespace {

using ir::LocationId;

term::Term zero(term::Pool& pool, term::Sort sort) {
  if (sort.is_bool()) return pool.boolean(false);
  if (sort.is_int()) return pool.integer(0);
  return pool.bits(0, sort.width);
}

/// Builds the body of one function again.
class BodySlicer {
 public:
  BodySlicer(const ir::Program& program, ir::FunctionId function,
             const Relevance& relevance)
      : pool_(*program.pool),
        function_(function),
        body_(program[function].body),
        relevance_(relevance),
        control_(relevance.control(function)),
        locations_(body_.num_locations()),
        next_(control_.graph().size(), kNoNode) {}

  ir::Cfa run() {
    exit_ = result_.add_location();
    stop_ = result_.add_location();
    result_.set_exit(exit_);
    for (Node node = 0; node < locations_.size(); ++node) {
      if (stays(node)) locations_[node] = result_.add_location();
    }
    result_.set_entry(target(body_.entry().value()));
    for (Node node = 0; node < locations_.size(); ++node) {
      if (stays(node)) add_location(LocationId(node));
    }
    result_.finish();
    return std::move(result_);
  }

 private:
  const ir::Return* return_at(Node node) const {
    if (!control_.is_location(node) || node == control_.exit()) return nullptr;
    const auto out = body_.out_edges(LocationId(node));
    if (out.empty()) return nullptr;
    return std::get_if<ir::Return>(&body_.edge(out[0]).statement);
  }

  /// Returns stay although their values may not matter: as the last step of
  /// ways that lead to one of them only, so that these keep their positions.
  bool stays(Node node) const {
    if (!control_.is_location(node) || node == control_.exit()) return false;
    if (body_.out_edges(LocationId(node)).empty()) return false;
    if (!relevance_.is_reached(function_, node)) return false;
    return relevance_.location(function_, node) || return_at(node) != nullptr;
  }

  bool is_ending(Node node) const {
    return !control_.is_location(node) || node == control_.exit() ||
           body_.out_edges(LocationId(node)).empty();
  }

  /// The first node on every way from `node` that stays or is an ending.
  Node first_relevant(Node node) {
    std::vector<Node> passed;
    while (next_[node] == kNoNode && !stays(node) && !is_ending(node)) {
      passed.push_back(node);
      node = relevance_.dependence(function_).post_dominator[node];
      AGON_ASSERT(node != kNoNode);
    }
    const Node found = next_[node] == kNoNode ? node : next_[node];
    next_[node] = found;
    for (const Node other : passed) next_[other] = found;
    return found;
  }

  /// Where to go instead of to `node`.
  LocationId target(Node node) {
    if (node == control_.exit()) return exit_;
    // Behind a call that does not return.
    if (!relevance_.is_reached(function_, node)) return stop_;
    const Node found = first_relevant(node);
    AGON_ASSERT(found != control_.block() && found != control_.end());
    if (found == control_.exit()) return return_location();
    return is_ending(found) ? stop_ : locations_[found];
  }

  /// Where several returns of values that do not matter have become one.
  LocationId return_location() {
    if (return_.valid()) return return_;
    return_ = result_.add_location();
    for (const ir::Edge& edge : body_.edges()) {
      const auto* ret = std::get_if<ir::Return>(&edge.statement);
      if (ret == nullptr) continue;
      result_.add_edge(
          {return_, exit_, without_values(*ret), edge.position, edge.inlined});
      return return_;
    }
    result_.add_edge({return_, exit_, ir::Return{}, {}, {}});
    return return_;
  }

  ir::Return without_values(ir::Return ret) const {
    for (term::Term& value : ret.values) value = zero(pool_, value.sort());
    return ret;
  }

  // A dropped call at a location that stays is one that returns: the location
  // is the head of a loop.
  void add_location(LocationId location) {
    for (const ir::EdgeId id : body_.out_edges(location)) {
      ir::Edge edge = body_.edge(id);
      edge.from = locations_[location.index()];
      edge.to = target(edge.to.value());
      edge.statement = statement(id, edge.statement);
      result_.add_edge(std::move(edge));
    }
  }

  ir::Statement statement(ir::EdgeId id, const ir::Statement& old) const {
    if (std::holds_alternative<ir::Assume>(old)) return old;
    if (const auto* ret = std::get_if<ir::Return>(&old)) {
      ir::Return result = without_values(*ret);
      for (std::size_t k = 0; k < result.values.size(); ++k) {
        if (relevance_.result(function_, k)) result.values[k] = ret->values[k];
      }
      return result;
    }
    const bool is_lost = support::is_broken("slice") && id.value() % 3 == 0 &&
                         std::holds_alternative<ir::Assign>(old);
    if (!relevance_.statement(function_, id) || is_lost) {
      return ir::Assume{pool_.boolean(true)};
    }
    if (!std::holds_alternative<ir::Call>(old)) return old;
    ir::Call call = std::get<ir::Call>(old);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (relevance_.argument(function_, id, i)) continue;
      call.arguments[i] = zero(pool_, call.arguments[i].sort());
    }
    if (!relevance_.call_results(function_, id)) call.results.clear();
    return call;
  }

  term::Pool& pool_;
  ir::FunctionId function_;
  const ir::Cfa& body_;
  const Relevance& relevance_;
  const ControlGraph& control_;
  std::vector<LocationId> locations_;  // Of those that stay, by old location.
  std::vector<Node> next_;             // Results of first_relevant.
  ir::Cfa result_;
  LocationId exit_;
  LocationId stop_;
  LocationId return_;
};

}  // namespace

ir::Program slice(const ir::Program& program, ir::FunctionId entry,
                  const Criterion& criterion) {
  const Relevance relevance(program, entry, criterion);
  ir::Program result = program;
  for (const ir::FunctionId function : relevance.calls().functions()) {
    if (!program[function].has_body) continue;
    result.functions[function.index()].body =
        BodySlicer(program, function, relevance).run();
  }
  if (!criterion.prune) return result;
  return prune(result, {entry}).program;
}

}  // namespace agon::analysis
