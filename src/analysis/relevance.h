// SPDX-License-Identifier: Apache-2.0
/// Which parts of a program can influence what is observed. Internal to
/// slicing.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/control_dependence.h"
#include "analysis/slice.h"
#include "analysis/slice_control.h"
#include "analysis/slice_values.h"
#include "horn/solver.h"

namespace agon::analysis {

/// The least set of parts that contains what is observed and is closed under
/// data and control dependence, by Horn clauses over
///
/// - locations: control has to come here, and decides here if it is a branch;
/// - statements: what the edge assigns or calls matters;
/// - values of variables, parameters and results of functions;
/// - functions: there is something in them that matters.
class Relevance {
 public:
  Relevance(const ir::Program& program, ir::FunctionId entry,
            const Criterion& criterion);

  const Calls& calls() const { return calls_; }
  const ControlGraph& control(ir::FunctionId function) const {
    return *parts_[function.index()].control;
  }
  const ControlDependence& dependence(ir::FunctionId function) const {
    return parts_[function.index()].dependence;
  }

  bool is_reached(ir::FunctionId function, Node node) const {
    return parts_[function.index()].reached[node];
  }
  bool location(ir::FunctionId function, Node node) const {
    return solver_.is_true(parts_[function.index()].locations[node]);
  }
  bool statement(ir::FunctionId function, ir::EdgeId edge) const {
    return solver_.is_true(parts_[function.index()].statements[edge.index()]);
  }
  /// Whether some result that a call edge assigns matters.
  bool call_results(ir::FunctionId function, ir::EdgeId edge) const;
  /// Whether argument i of a call edge matters.
  bool argument(ir::FunctionId function, ir::EdgeId edge, std::size_t i) const;
  bool result(ir::FunctionId function, std::size_t k) const;

 private:
  struct Part {
    std::unique_ptr<ControlGraph> control;
    ControlDependence dependence;
    std::vector<bool> reached;               // By node.
    std::vector<horn::Variable> locations;   // By node.
    std::vector<horn::Variable> statements;  // By edge.
    horn::Variable any;                      // Something in it matters.
    std::vector<horn::Variable> results;
    // By edge: the arguments of a call without a body.
    std::unordered_map<ir::EdgeId, horn::Variable> arguments;
  };
  /// An edge and where it is.
  struct Place {
    ir::FunctionId function;
    ir::EdgeId id;
    const ir::Edge& edge;
    Node node;
  };

  void prepare(const std::vector<Endings>& endings);
  void imply(horn::Variable head, horn::Variable body) {
    solver_.add_clause(head, std::span(&body, 1));
  }
  void fact(horn::Variable head) { solver_.add_clause(head, {}); }
  /// The term at a place matters if `cause` does.
  void use(const Place& place, term::Term term, horn::Variable cause);

  void add_control(ir::FunctionId function);
  void add_loops(ir::FunctionId function);
  void add_edge(const Place& place);
  void add_call(const Place& place, const ir::Call& call);
  void add_unknown_call(const Place& place, const ir::Call& call,
                        const std::vector<ir::FunctionId>& callees);
  void add_known_call(const Place& place, const ir::Call& call,
                      ir::FunctionId callee);
  void add_observation(const Place& place,
                       const std::vector<ir::FunctionId>& callees);
  void add_returns(ir::FunctionId entry);

  const ir::Program& program_;
  const Criterion& criterion_;
  Calls calls_;
  EdgeAccesses accesses_;
  horn::Solver solver_;
  std::vector<Part> parts_;  // By function.
  std::unique_ptr<SliceValues> values_;
};

}  // namespace agon::analysis
