// SPDX-License-Identifier: Apache-2.0
#include "falsify/strategy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "falsify/conjuncts.h"
#include "falsify/names.h"
#include "ir/print.h"

namespace agon::falsify {
namespace {

using term::Term;

class Description {
 public:
  Description(const Model& model, const std::vector<Win>& wins,
              const std::vector<NodeId>& from, const ir::Program& program,
              ir::FunctionId entry)
      : model_(model),
        wins_(wins),
        order_(reached(model, wins, from)),
        program_(program),
        body_(program[entry].body),
        names_(program, entry),
        style_(names_.style()) {}

  Strategy run(const std::vector<EndingLoop>& loops) {
    for (const NodeId id : order_) {
      const Node& node = model_.nodes[id];
      if (node.kind == NodeKind::Bad) add(node, "the error is reached");
      if (node.kind != NodeKind::Inner) continue;
      const bool ends = std::ranges::any_of(loops, [&](const auto& loop) {
        return loop.head == node.location &&
               std::ranges::binary_search(loop.nodes, id);
      });
      if (ends) add(node, "this loop comes to an end");
      if (wins_[id].move != Win::kWhatever) {
        if (node.is_choice) add(node, choice(id));
      } else if (node.moves.size() > 1) {
        add(node, node.is_choice && node.owner == Player::Falsifier
                      ? "any choice will do"
                      : "whatever happens here");
      }
    }
    return std::move(result_);
  }

 private:
  const ir::Edge& edge_of(const Node& node) const {
    return body_.edge(body_.out_edges(node.location).front());
  }

  void add(const Node& node, std::string text) {
    const ir::Edge& edge = edge_of(node);
    StrategyStep step{edge.position, ir::place_of(program_, edge),
                      std::move(text)};
    if (said_.emplace(step.place, step.text).second) {
      result_.push_back(std::move(step));
    }
  }

  std::string choice(NodeId id) const {
    const Node& node = model_.nodes[id];
    const Move& move = node.moves[wins_[id].move];
    const Term target =
        program_[std::get<ir::Havoc>(edge_of(node).statement).target].term;
    const std::string wish = about(model_.nodes[move.target].states, target);
    std::string text =
        wish.empty() ? fmt::format("choose any {}", term::to_c(target, style_))
                     : fmt::format("choose {}", wish);
    if (is_only_choice(id)) return text;
    return fmt::format("{} if {}", text, in_c(node.states));
  }

  std::string in_c(Term formula) const {
    return term::to_c(without_repetitions(*program_.pool, formula), style_);
  }

  /// What a formula says about a variable.
  std::string about(Term formula, Term variable) const {
    std::vector<Term> parts;
    for (const Term part : conjuncts(formula)) {
      const auto variables = term::variables_of(part);
      if (std::ranges::find(variables, variable) != variables.end()) {
        parts.push_back(part);
      }
    }
    if (parts.empty()) return {};
    return in_c(program_.pool->conjunction(parts));
  }

  /// Whether other nodes that are met at this place choose alike.
  bool is_only_choice(NodeId id) const {
    const Node& node = model_.nodes[id];
    const auto wish = [&](NodeId other) {
      const Win& win = wins_[other];
      const Node& at = model_.nodes[other];
      if (win.move == Win::kWhatever) return std::string("anything");
      const Term target =
          program_[std::get<ir::Havoc>(edge_of(at).statement).target].term;
      return about(model_.nodes[at.moves[win.move].target].states, target);
    };
    const std::string mine = wish(id);
    return std::ranges::all_of(order_, [&](NodeId other) {
      return model_.nodes[other].location != node.location ||
             wish(other) == mine;
    });
  }

  const Model& model_;
  const std::vector<Win>& wins_;
  const std::vector<NodeId> order_;
  const ir::Program& program_;
  const ir::Cfa& body_;
  Names names_;
  term::CStyle style_;
  std::set<std::pair<std::string, std::string>> said_;
  Strategy result_;
};

}  // namespace

Strategy describe(const Model& model, const std::vector<Win>& wins,
                  const std::vector<EndingLoop>& loops,
                  const std::vector<NodeId>& from, const ir::Program& program,
                  ir::FunctionId entry) {
  return Description(model, wins, from, program, entry).run(loops);
}

}  // namespace agon::falsify
