// SPDX-License-Identifier: Apache-2.0
#include "analysis/terminating_loops.h"

#include <algorithm>

#include "analysis/control_dependence.h"
#include "term/bits.h"
#include "term/substitute.h"

// If a run went round forever, take the outermost loop whose head it passes
// infinitely often. From some point on the run stays in it, and all but the
// variables that it changes is fixed.
//
// Counting. Let each round add s to a variable of w bits, and let g be the
// greatest power of two that divides s. The multiples of s modulo 2^w are those
// of g, so the variable takes each value that is congruent modulo g to the one
// that it had first. What that was is not known, but any g values in a row have
// one of them. So if the branch leaves for g values in a row, it leaves some
// time: with values up to `high`, `x < b` fails for b … high, which are g if
// b <= high - g + 1. Odd steps have g = 1.
//
// If what is added differs from way to way, but always has the same sign, and m
// is the sum of all that can be added, then the variable goes on by at most m
// from one look at it to the next, so it cannot jump over m values in a row. No
// statement that is passed once in a round lies twice between two looks: else
// it would be on a cycle with the place that looks, inside of the round.
//
// A copy that is made in each round takes the values that the variable has
// there, which are as many apart. If a variable becomes a copy of itself, give
// or take a constant, in k rounds, then each k-th round adds that constant. If
// `a < b` holds, and then a grows by 1 or b shrinks by 1, neither wraps; so
// they meet.
//
// Shrinking. A variable that is divided by 2 or more in each round becomes 0,
// and so does one that is shifted to the right, or -1 if the shift copies the
// sign. Then it stays, and the branch is decided by this value.

namespace agon::analysis {
namespace {

using term::Bits;
using term::Kind;
using term::SignedBits;
using term::Term;

/// From a variable back to itself.
constexpr unsigned kMostCopies = 8;

/// The constant that `value` adds to the variable; 0 if there is none.
Bits step_of(Term value, Term variable) {
  if (!variable.sort().is_bits()) return 0;
  Term step;
  if (value.kind() == Kind::Add || value.kind() == Kind::Subtract) {
    if (value.operand(0) == variable) {
      step = value.operand(1);
    } else if (value.kind() == Kind::Add && value.operand(1) == variable) {
      step = value.operand(0);
    }
  }
  if (!step.valid() || !step.is_constant()) return 0;
  return value.kind() == Kind::Add
             ? step.value()
             : term::truncate(~step.value() + 1, variable.width());
}

/// The variable of which `value` is a copy, give or take a constant.
Term copied(Term value) {
  if (value.kind() == Kind::Variable) return value;
  if (value.kind() != Kind::Add && value.kind() != Kind::Subtract) return {};
  for (const Term side : value.operands()) {
    if (side.kind() == Kind::Variable && step_of(value, side) != 0) return side;
  }
  return {};
}

/// What becomes of a variable to which `value` is assigned again and again, if
/// that makes it smaller and smaller.
std::vector<Bits> ends_of(Term value, Term variable) {
  if (!variable.sort().is_bits() || value.operands().size() != 2 ||
      value.operand(0) != variable || !value.operand(1).is_constant()) {
    return {};
  }
  const unsigned width = variable.width();
  const Bits by = value.operand(1).value();
  const term::SignedBits signed_by = term::as_signed(by, width);
  switch (value.kind()) {
    case Kind::UDivide:
      return by >= 2 ? std::vector<Bits>{0} : std::vector<Bits>{};
    case Kind::SDivide:
      return signed_by >= 2 || signed_by <= -2 ? std::vector<Bits>{0}
                                               : std::vector<Bits>{};
    case Kind::ShiftRight:
      return by >= 1 ? std::vector<Bits>{0} : std::vector<Bits>{};
    case Kind::ShiftRightSigned:
      return by >= 1 ? std::vector<Bits>{0, term::mask(width)}
                     : std::vector<Bits>{};
    default:
      return {};
  }
}

}  // namespace

/// Of any `gap` values in a row, a variable takes one some time; 0: nothing is
/// known. If each round adds the same, and it is no copy, that is `step`.
struct TerminatingLoops::Progress {
  Bits gap = 0;
  Bits step = 0;
};

/// A variable that makes progress, or an extension of one: its values are those
/// from `low` to `high`.
struct TerminatingLoops::Counter {
  Bits low = 0;
  Bits high = 0;
  Bits gap = 0;
  SignedBits step = 0;
};

TerminatingLoops::TerminatingLoops(const ir::Program& program,
                                   ir::FunctionId function, const Calls& calls,
                                   const ControlGraph& control,
                                   const EdgeAccesses& accesses)
    : program_(program),
      pool_(*program.pool),
      function_(function),
      body_(program[function].body),
      calls_(calls),
      control_(control),
      accesses_(accesses),
      predecessors_(control.graph().reversed()),
      dominator_(immediate_dominators(control.graph(), body_.entry().value())),
      enter_(dominator_.size(), 0),
      leave_(dominator_.size(), 0),
      has_other_entry_(dominator_.size(), false),
      loop_of_(dominator_.size(), kNoNode) {
  walk_dominators();
  for (const auto& [from, head] :
       retreating_arcs(control.graph(), body_.entry().value())) {
    if (!dominates(head, from)) has_other_entry_[head] = true;
  }
}

void TerminatingLoops::walk_dominators() {
  std::vector<Digraph::Arc> arcs;
  for (Node node = 0; node < dominator_.size(); ++node) {
    if (dominator_[node] != kNoNode) arcs.emplace_back(dominator_[node], node);
  }
  const Digraph tree(dominator_.size(), arcs);
  std::uint32_t clock = 1;
  std::vector<std::pair<Node, std::size_t>> stack{{body_.entry().value(), 0}};
  enter_[body_.entry().index()] = clock++;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == tree.successors(node).size()) {
      leave_[node] = clock++;
      stack.pop_back();
      continue;
    }
    const Node child = tree.successors(node)[next++];
    enter_[child] = clock++;
    stack.emplace_back(child, 0);
  }
}

bool TerminatingLoops::dominates(Node a, Node b) const {
  return enter_[a] != 0 && enter_[b] != 0 && enter_[a] <= enter_[b] &&
         leave_[b] <= leave_[a];
}

Term TerminatingLoops::ends_if(Node head) {
  if (!enter(head)) return pool_.boolean(false);
  std::vector<Term> ways;
  for (const Node node : nodes_) {
    if (control_.is_location(node) && is_passed_each_round(node)) {
      ways.push_back(leaves_if(node));
    }
  }
  return pool_.disjunction(ways);
}

Term TerminatingLoops::ends_if(Node head, Term holds) {
  return enter(head) ? fails_if(holds) : pool_.boolean(false);
}

bool TerminatingLoops::enter(Node head) {
  if (enter_[head] == 0 || has_other_entry_[head]) return false;
  if (head_ == head) return true;
  collect_loop(head);
  collect_writes();
  return true;
}

// The natural loop: what leads back to the head without passing it.
void TerminatingLoops::collect_loop(Node head) {
  head_ = head;
  nodes_.assign(1, head);
  latches_.clear();
  loop_of_[head] = head;
  const auto add = [&](Node node) {
    if (loop_of_[node] == head || enter_[node] == 0) return;
    loop_of_[node] = head;
    nodes_.push_back(node);
  };
  for (const Node node : predecessors_.successors(head)) {
    if (!dominates(head, node)) continue;
    latches_.push_back(node);
    add(node);
  }
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    for (const Node node : predecessors_.successors(nodes_[i])) add(node);
  }
}

void TerminatingLoops::collect_writes() {
  writes_.clear();
  calls_functions_ = false;
  for (const Node node : nodes_) {
    if (!control_.is_location(node)) continue;
    for (const ir::EdgeId edge : body_.out_edges(ir::LocationId(node))) {
      for (const ir::VariableId v : accesses_.of(function_, edge).writes) {
        writes_[v].push_back(edge);
      }
      for (const ir::FunctionId callee : calls_.callees(function_, edge)) {
        calls_functions_ = calls_functions_ || program_[callee].has_body;
      }
    }
  }
}

bool TerminatingLoops::is_passed_each_round(Node node) const {
  return std::ranges::all_of(
      latches_, [&](Node latch) { return dominates(node, latch); });
}

bool TerminatingLoops::is_passed_each_round(
    std::span<const ir::EdgeId> edges) const {
  std::vector<bool> seen(dominator_.size(), false);
  for (const ir::EdgeId edge : edges) {
    seen[body_.edge(edge).from.index()] = true;
  }
  if (seen[head_]) return true;
  std::vector<Node> queue{head_};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Node to : control_.graph().successors(queue[i])) {
      if (to == head_) return false;
      if (loop_of_[to] == head_ && !seen[to]) queue.push_back(to);
      seen[to] = true;
    }
  }
  return true;
}

bool TerminatingLoops::is_passed_twice(Node node) const {
  std::vector<bool> seen(dominator_.size(), false);
  std::vector<Node> queue{node};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Node to : control_.graph().successors(queue[i])) {
      if (to == head_ || loop_of_[to] != head_) continue;
      if (to == node) return true;
      if (!seen[to]) queue.push_back(to);
      seen[to] = true;
    }
  }
  return false;
}

std::span<const ir::EdgeId> TerminatingLoops::writes_of(
    ir::VariableId variable) const {
  const auto found = writes_.find(variable);
  if (found == writes_.end()) return {};
  if (calls_functions_ && !program_[variable].owner.valid()) return {};
  return found->second;
}

Term TerminatingLoops::new_value(ir::VariableId variable) const {
  const auto writes = writes_of(variable);
  if (writes.size() != 1) return {};
  const ir::Edge& edge = body_.edge(writes[0]);
  const auto* assign = std::get_if<ir::Assign>(&edge.statement);
  if (assign == nullptr || !is_passed_each_round(edge.from.value()) ||
      is_passed_twice(edge.from.value())) {
    return {};
  }
  return assign->value;
}

/// What is added to a variable that becomes a copy of itself through others, as
/// in t = i; u = t; i = u + 1. Each copy is made once in a round, so that a
/// value comes around in as many rounds as there are copies, or fewer, and
/// always in as many.
Bits TerminatingLoops::step_around(Term variable) const {
  Bits sum = 0;
  Term at = variable;
  for (unsigned i = 0; i < kMostCopies; ++i) {
    const ir::VariableId id = program_.variable_of(at);
    const Term value = id.valid() ? new_value(id) : Term();
    const Term from = value.valid() ? copied(value) : Term();
    if (!from.valid()) return 0;
    sum += step_of(value, from);
    at = from;
    if (at == variable) return term::truncate(sum, variable.width());
  }
  return 0;
}

TerminatingLoops::Progress TerminatingLoops::progress(ir::VariableId variable,
                                                      unsigned copies) const {
  const Term x = program_[variable].term;
  if (!x.sort().is_bits()) return {};
  if (const Term value = new_value(variable); value.valid()) {
    if (const Bits step = step_of(value, x); step != 0) {
      return {step & (~step + 1), step};
    }
    const Term from = copied(value);
    const auto source =
        from.valid() ? program_.variable_of(from) : ir::VariableId();
    if (!source.valid() || source == variable || copies == 0) return {};
    if (const Bits step = step_around(x); step != 0) {
      return {step & (~step + 1), 0};
    }
    return {progress(source, copies - 1).gap, 0};
  }
  const auto writes = writes_of(variable);
  if (writes.empty() || !is_passed_each_round(writes)) return {};
  SignedBits sum = 0;
  for (const ir::EdgeId write : writes) {
    const ir::Edge& edge = body_.edge(write);
    const auto* assign = std::get_if<ir::Assign>(&edge.statement);
    if (assign == nullptr || is_passed_twice(edge.from.value())) return {};
    const SignedBits step =
        term::as_signed(step_of(assign->value, x), x.width());
    if (step == 0 || (sum != 0 && (step < 0) != (sum < 0))) return {};
    sum += step;
  }
  const Bits gap = static_cast<Bits>(sum < 0 ? -sum : sum);
  if (gap > term::mask(x.width()) / 2) return {};
  return {gap, 0};
}

/// Whether the loop leaves its value alone.
bool TerminatingLoops::is_fixed(term::Term term) const {
  return std::ranges::none_of(
      accesses_.variables_of(term), [&](ir::VariableId variable) {
        return writes_.contains(variable) ||
               (calls_functions_ && !program_[variable].owner.valid());
      });
}

Term TerminatingLoops::leaves_if(Node branch) const {
  std::vector<Term> ways;
  const auto out = body_.out_edges(ir::LocationId(branch));
  for (std::size_t i = 0; i < 2 && out.size() == 2; ++i) {
    const ir::Edge& stay = body_.edge(out[i]);
    const ir::Edge& other = body_.edge(out[1 - i]);
    if (loop_of_[other.to.index()] == head_) continue;
    const auto* assume = std::get_if<ir::Assume>(&stay.statement);
    if (assume != nullptr) ways.push_back(fails_if(assume->condition));
  }
  return pool_.disjunction(ways);
}

/// When a condition is false for some value that a variable takes some time.
Term TerminatingLoops::fails_if(Term stay) const {
  const bool is_negated = stay.kind() == Kind::Not;
  const Term atom = is_negated ? stay.operand(0) : stay;
  std::vector<Term> ways{pool_.boolean(stay.is_false()),
                         shrinking_fails_if(stay)};
  if (atom.kind() == Kind::And && !is_negated) {
    for (const Term part : atom.operands()) ways.push_back(fails_if(part));
  }
  const bool is_signed =
      atom.kind() == Kind::SLess || atom.kind() == Kind::SLessEqual;
  switch (atom.kind()) {
    case Kind::Equal:
      ways.push_back(
          equation_fails_if(atom.operand(0), atom.operand(1), is_negated));
      ways.push_back(
          equation_fails_if(atom.operand(1), atom.operand(0), is_negated));
      break;
    case Kind::ULess:
    case Kind::SLess:
    case Kind::ULessEqual:
    case Kind::SLessEqual: {
      const bool is_strict =
          atom.kind() == Kind::ULess || atom.kind() == Kind::SLess;
      ways.push_back(order_fails_if(atom.operand(is_negated ? 1 : 0),
                                    atom.operand(is_negated ? 0 : 1),
                                    is_strict != is_negated, is_signed));
      break;
    }
    default:
      break;
  }
  return pool_.disjunction(ways);
}

std::optional<TerminatingLoops::Counter> TerminatingLoops::counter(
    Term term, bool is_signed) const {
  const Kind kind = term.kind();
  if (!term.sort().is_bits()) return std::nullopt;
  // A sign extension read without a sign has a hole in the middle.
  const bool is_extended =
      kind == Kind::ZeroExtend || (kind == Kind::SignExtend && is_signed);
  const Term inner = is_extended ? term.operand(0) : term;
  if (inner.kind() != Kind::Variable) return std::nullopt;
  const ir::VariableId variable = program_.variable_of(inner);
  if (!variable.valid()) return std::nullopt;
  const auto [gap, step] = progress(variable);
  if (gap == 0) return std::nullopt;
  const unsigned width = inner.width();
  const SignedBits signed_step = step == 0 ? 0 : term::as_signed(step, width);
  if (!is_signed || kind == Kind::ZeroExtend) {
    return Counter{0, term::mask(width), gap, signed_step};
  }
  return Counter{term::truncate(~term::mask(width - 1), term.width()),
                 term::mask(width - 1), gap, signed_step};
}

/// When `less < greater` fails, or `less <= greater` if it is not strict.
Term TerminatingLoops::order_fails_if(Term less, Term greater, bool is_strict,
                                      bool is_signed) const {
  std::vector<Term> ways;
  const Kind kind = is_signed ? Kind::SLessEqual : Kind::ULessEqual;
  const auto number = [&](Bits value) {
    return pool_.bits(term::truncate(value, less.width()), less.width());
  };
  const Bits more = is_strict ? 1 : 0;
  const auto up = counter(less, is_signed);
  const auto down = counter(greater, is_signed);
  if (up && down) {
    return pool_.boolean(is_strict && less.kind() == Kind::Variable &&
                         greater.kind() == Kind::Variable && up->step == 1 &&
                         down->step == -1);
  }
  if (up && is_fixed(greater)) {
    // It fails for `greater` + 1 - more … high.
    ways.push_back(
        pool_.binary(kind, greater, number(up->high - up->gap + more)));
  }
  if (down && is_fixed(less)) {
    // It fails for low … `less` - 1 + more.
    ways.push_back(
        pool_.binary(kind, number(down->low + down->gap - more), less));
  }
  return pool_.disjunction(ways);
}

Term TerminatingLoops::equation_fails_if(Term a, Term b,
                                         bool is_negated) const {
  const auto found = counter(a, false);
  if (!found || !is_fixed(b)) return pool_.boolean(false);
  // There is more than one value, so a = b fails. a != b fails for one only.
  if (!is_negated) return pool_.boolean(true);
  if (found->gap != 1) return pool_.boolean(false);
  return pool_.binary(Kind::ULessEqual, b, pool_.bits(found->high, b.width()));
}

Term TerminatingLoops::shrinking_fails_if(Term stay) const {
  std::vector<Term> ways;
  for (const ir::VariableId variable : accesses_.variables_of(stay)) {
    const Term term = program_[variable].term;
    const Term value = new_value(variable);
    if (!value.valid()) continue;
    std::vector<Term> fails;
    for (const Bits end : ends_of(value, term)) {
      fails.push_back(pool_.negation(term::substitute(
          pool_, stay, {{term, pool_.bits(end, term.width())}})));
    }
    if (fails.empty()) continue;
    const Term all = pool_.conjunction(fails);
    if (is_fixed(all)) ways.push_back(all);
  }
  return pool_.disjunction(ways);
}

}  // namespace agon::analysis
