// SPDX-License-Identifier: Apache-2.0
#include "falsify/game.h"

#include <algorithm>

#include "horn/solver.h"

// "The Falsifier wins at n" is a variable of Horn clauses, and the rules of
// FALS are the clauses:
//
//   h-all-bad   H n                              if n is bad
//   h-P-move    H n  <-  H m for all moves m     if n cannot block
//   h-F-move    H n  <-  H m                     if n is the Falsifier's, m
//   sure
//
// The Falsifier may leave a choice open, so h-P-move is there for all nodes.
//
// The least model has no derivation that goes round a loop, although a loop
// that counts to a million is a small cycle of nodes from which execution must
// escape some time. Hence a fourth rule, for a loop that no execution stays in:
//
//   h-loop      H x for all x in X, nodes at the head that no execution passes
//               forever without leaving the loop, if H x follows for each of
//               them inside the loop from "H x' for x' in X where the head is
//               reached again"; and for a part of a loop, without passing other
//               nodes at the head
//
// Then an execution that follows the moves either reaches an error, or passes
// the head again and again in X, which it cannot do forever. X is the greatest
// such set: start with all such nodes and take away what does not follow.
// Loops inside are treated alike on the way.

namespace agon::falsify {
namespace {

class Attractor {
 public:
  Attractor(const Model& model, const std::vector<EndingLoop>& loops,
            support::Context& context)
      : model_(model), loops_(loops), context_(context) {}

  std::vector<Win> run() {
    return solve(nullptr, std::vector<bool>(model_.nodes.size(), false), {});
  }

 private:
  /// Horn clauses for a part of the game.
  struct Rules {
    horn::Solver solver;
    std::vector<horn::Variable> wins;      // By node.
    std::vector<horn::Variable> returned;  // By node; most are invalid.
    std::vector<std::uint32_t> move;       // By clause.
  };

  /// The nodes won in a loop, or everywhere, if those of `known` are won and
  /// also those of `again`, at the heads of this loop and of those around it,
  /// when such a head is reached once more.
  std::vector<Win> solve(const EndingLoop* loop, const std::vector<bool>& known,
                         const std::vector<NodeId>& again) {
    Rules rules;
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      rules.wins.push_back(rules.solver.add_variable());
    }
    rules.returned.resize(model_.nodes.size());
    for (const NodeId id : again) {
      rules.returned[id] = rules.solver.add_variable();
      add_clause(rules, rules.returned[id], {}, Win::kWhatever);
    }
    for (NodeId id = 0; id < model_.nodes.size(); ++id) {
      if (known[id]) {
        add_clause(rules, rules.wins[id], {}, Win::kWhatever);
      } else if (loop == nullptr || is_inside(*loop, rules, id)) {
        add_rules(rules, id);
      }
    }
    std::vector<Win> result(model_.nodes.size());
    rules.solver.solve();
    while (win_loops(rules, loop, again, result)) rules.solver.solve();
    for (NodeId id = 0; id < model_.nodes.size(); ++id) {
      if (result[id].wins || known[id]) continue;
      const horn::Variable variable = rules.wins[id];
      if (!rules.solver.is_true(variable)) continue;
      result[id] = {true, rules.move[rules.solver.reason(variable).index()],
                    rules.solver.rank(variable)};
    }
    return result;
  }

  bool is_inside(const EndingLoop& loop, const Rules& rules, NodeId id) const {
    const ir::LocationId location = model_.nodes[id].location;
    const bool is_other_part =
        loop.is_part && location == loop.head && !rules.returned[id].valid();
    return loop.contains[location.index()] && !is_other_part;
  }

  static void add_clause(Rules& rules, horn::Variable head,
                         std::span<const horn::Variable> body,
                         std::uint32_t move) {
    rules.solver.add_clause(head, body);
    rules.move.push_back(move);
  }

  void add_rules(Rules& rules, NodeId id) {
    const Node& node = model_.nodes[id];
    const horn::Variable here = rules.wins[id];
    if (node.kind == NodeKind::Bad) {  // h-all-bad
      add_clause(rules, here, {}, Win::kWhatever);
    }
    if (node.kind != NodeKind::Inner) return;
    std::vector<horn::Variable> after;
    for (const Move& move : node.moves) {
      const horn::Variable again = rules.returned[move.target];
      after.push_back(again.valid() ? again : rules.wins[move.target]);
    }
    // Where there is one way to go on, nobody has to insist on it.
    const bool is_forced = node.moves.size() == 1 && !node.may_block;
    for (std::uint32_t i = 0; i < after.size(); ++i) {  // h-F-move
      if (node.owner != Player::Falsifier || is_forced) break;
      if (node.moves[i].certainty == Certainty::Unsure) continue;
      add_clause(rules, here, {&after[i], 1}, i);
    }
    if (!node.may_block) {  // h-P-move
      std::vector<horn::Variable> all;
      for (std::size_t i = 0; i < after.size(); ++i) {
        if (!node.moves[i].is_extra) all.push_back(after[i]);
      }
      add_clause(rules, here, all, Win::kWhatever);
    }
  }

  /// h-loop, for each loop inside. Whether it gave something new.
  bool win_loops(Rules& rules, const EndingLoop* outer,
                 const std::vector<NodeId>& again, std::vector<Win>& result) {
    bool is_new = false;
    for (const EndingLoop& loop : loops_) {
      if (context_.exhausted()) break;
      if (outer != nullptr &&
          (loop.head == outer->head || !outer->contains[loop.head.index()])) {
        continue;
      }
      const std::vector<Win> inside = win_loop(loop, rules, again);
      for (NodeId id = 0; id < inside.size(); ++id) {
        if (!inside[id].wins) continue;
        result[id] = inside[id];
        add_clause(rules, rules.wins[id], {}, Win::kWhatever);
        is_new = true;
      }
      if (is_new) rules.solver.solve();
    }
    return is_new;
  }

  std::vector<Win> win_loop(const EndingLoop& loop, const Rules& rules,
                            const std::vector<NodeId>& outer) {
    std::vector<bool> known(model_.nodes.size());
    for (NodeId id = 0; id < known.size(); ++id) {
      known[id] = rules.solver.is_true(rules.wins[id]);
    }
    std::vector<NodeId> set;
    std::ranges::copy_if(loop.nodes, std::back_inserter(set),
                         [&](NodeId id) { return !known[id]; });
    while (!set.empty()) {
      std::vector<NodeId> again = outer;
      again.insert(again.end(), set.begin(), set.end());
      std::vector<Win> inside = solve(&loop, known, again);
      const std::size_t before = set.size();
      std::erase_if(set, [&](NodeId id) { return !inside[id].wins; });
      if (set.size() == before) return inside;
    }
    return {};
  }

  const Model& model_;
  const std::vector<EndingLoop>& loops_;
  support::Context& context_;
};

}  // namespace

std::vector<Win> play(const Model& model, const std::vector<EndingLoop>& loops,
                      support::Context& context) {
  return Attractor(model, loops, context).run();
}

std::vector<bool> escapes(const Model& model) {
  horn::Solver solver;
  const std::size_t size = model.nodes.size();
  std::vector<horn::Variable> escaping;
  for (std::size_t i = 0; i < size; ++i) {
    escaping.push_back(solver.add_variable());
  }
  for (NodeId id = 0; id < size; ++id) {
    const Node& node = model.nodes[id];
    if (node.kind == NodeKind::Bad) continue;
    // All that the Falsifier can insist on.
    std::vector<horn::Variable> insisted;
    for (const Move& move : node.moves) {
      if (node.owner == Player::Falsifier &&
          move.certainty != Certainty::Unsure) {
        insisted.push_back(escaping[move.target]);
      }
    }
    if (node.may_block || node.kind == NodeKind::End) {
      solver.add_clause(escaping[id], insisted);
      continue;
    }
    for (const Move& move : node.moves) {
      insisted.push_back(escaping[move.target]);
      solver.add_clause(escaping[id], insisted);
      insisted.pop_back();
    }
  }
  solver.solve();
  std::vector<bool> result;
  for (const horn::Variable variable : escaping) {
    result.push_back(solver.is_true(variable));
  }
  return result;
}

std::vector<NodeId> reached(const Model& model, const std::vector<Win>& wins,
                            const std::vector<NodeId>& from) {
  std::vector<bool> seen(model.nodes.size(), false);
  std::vector<NodeId> order;
  const auto visit = [&](NodeId id) {
    if (!seen[id]) order.push_back(id);
    seen[id] = true;
  };
  for (const NodeId id : from) visit(id);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = model.nodes[order[i]];
    const Win& win = wins[order[i]];
    if (node.kind != NodeKind::Inner) continue;
    if (win.move != Win::kWhatever) {
      visit(node.moves[win.move].target);
      continue;
    }
    for (const Move& move : node.moves) {
      if (!move.is_extra) visit(move.target);
    }
  }
  return order;
}

}  // namespace agon::falsify
