// SPDX-License-Identifier: Apache-2.0
#include "falsify/question.h"

#include <set>

#include "abstraction/liveness.h"
#include "falsify/model.h"

namespace agon::falsify {
namespace {

using term::Term;

class Rewriting {
 public:
  Rewriting(const Question& question, Choices choices)
      : old_(question.program[question.entry].body),
        entry_(question.entry),
        choices_(choices),
        result_{question.program, {}, {}, {}} {}

  Explicit run(const Question& question) {
    body_ = old_.without_edges();
    at_ = body_.add_location();
    body_.set_entry(at_);
    add_start(question);
    // Joins the end of the start to the old entry.
    step_to(old_.entry(), ir::Assume{result_.program.pool->boolean(true)});
    for (const ir::Edge& edge : old_.edges()) add(edge);
    std::map<ir::EdgeId, ir::VariableId> counted;
    const std::vector<ir::EdgeId> kept = body_.finish();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto at = result_.counted.find(kept[i]);
      if (at != result_.counted.end()) counted[ir::EdgeId::at(i)] = at->second;
    }
    result_.counted = std::move(counted);
    result_.program.functions[entry_.index()].body = std::move(body_);
    return std::move(result_);
  }

 private:
  void add_start(const Question& question) {
    const ir::Program& program = question.program;
    const abstraction::Liveness liveness(program, old_);
    std::set<ir::VariableId> known;
    for (const auto& [variable, value] : question.start) {
      known.insert(variable);
      if (liveness.is_live(old_.entry(), variable)) {
        step(ir::Assign{variable, value});
      }
    }
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      const auto id = ir::VariableId::at(i);
      const ir::Variable& variable = program[id];
      const bool is_given = variable.kind == ir::VariableKind::Global ||
                            (variable.kind == ir::VariableKind::Parameter &&
                             variable.owner == entry_);
      if (!is_given || known.contains(id) ||
          !liveness.is_live(old_.entry(), id) ||
          variable.term.sort().is_array()) {
        continue;
      }
      result_.chosen.push_back(id);
      edge_.position = variable.position;
      choose({id, ir::HavocReason::Input, ""});
    }
  }

  void add(const ir::Edge& edge) {
    const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
    if (havoc == nullptr || choices_ == Choices::Values ||
        !is_input(result_.program, *havoc)) {
      body_.add_edge(edge);
      return;
    }
    edge_ = edge;
    at_ = edge.from;
    choose(*havoc);
    step_to(edge.to, ir::Assume{result_.program.pool->boolean(true)});
  }

  void step(ir::Statement statement) {
    step_to(body_.add_location(), std::move(statement));
  }
  ir::EdgeId step_to(ir::LocationId to, ir::Statement statement) {
    ir::Edge edge = edge_;
    edge.from = at_;
    edge.to = to;
    edge.statement = std::move(statement);
    at_ = to;
    return body_.add_edge(std::move(edge));
  }

  void choose(const ir::Havoc& havoc) {
    if (choices_ == Choices::Values ||
        !result_.program[havoc.target].term.sort().is_bits()) {
      step(havoc);
    } else {
      generate(havoc);
    }
  }

  /// x := 0; while (choice) x := x + 1; if (choice) x := -x.
  void generate(const ir::Havoc& havoc) {
    term::Pool& pool = *result_.program.pool;
    const Term x = result_.program[havoc.target].term;
    step(ir::Assign{havoc.target, pool.bits(0, x.width())});
    const ir::LocationId head = at_;
    flip(havoc);
    const ir::LocationId up = branch();
    const ir::LocationId done = at_;
    at_ = up;
    step_to(head,
            ir::Assign{havoc.target, pool.add(x, pool.bits(1, x.width()))});
    at_ = done;
    flip(havoc);
    const ir::LocationId turn = branch();
    const ir::LocationId end = at_;
    at_ = turn;
    step_to(end, ir::Assign{havoc.target, pool.negate(x)});
    at_ = end;
    const ir::EdgeId known =
        step_to(body_.add_location(), ir::Assign{havoc.target, x});
    result_.counted[known] = havoc.target;
  }

  /// A choice edge of FALS: a coin, and a branch on it.
  void flip(const ir::Havoc& havoc) {
    if (!result_.coin.valid()) {
      ir::Variable variable;
      variable.name = variable.display = "coin";
      variable.kind = ir::VariableKind::Temporary;
      variable.owner = entry_;
      result_.coin =
          result_.program.add_variable(variable, term::Sort::boolean());
      result_.program.functions[entry_.index()].locals.push_back(result_.coin);
    }
    step(ir::Havoc{result_.coin, havoc.reason, havoc.source});
  }

  /// Goes on where the coin shows 0; the location where it shows 1.
  ir::LocationId branch() {
    term::Pool& pool = *result_.program.pool;
    const Term is_one = result_.program[result_.coin].term;
    const ir::LocationId from = at_;
    step(ir::Assume{is_one});
    const ir::LocationId other = at_;
    at_ = from;
    step(ir::Assume{pool.negation(is_one)});
    return other;
  }

  const ir::Cfa& old_;
  ir::FunctionId entry_;
  Choices choices_;
  Explicit result_;
  ir::Cfa body_;
  ir::LocationId at_;
  ir::Edge edge_;  // Whose place the statements have that are being added.
};

}  // namespace

Explicit make_explicit(const Question& question, Choices choices) {
  return Rewriting(question, choices).run(question);
}

}  // namespace agon::falsify
