// SPDX-License-Identifier: Apache-2.0
#include "verify/unrolling.h"

#include <algorithm>

#include "ir/loop_order.h"
#include "support/broken.h"
#include "support/sort_unique.h"
#include "term/substitute.h"
#include "verify/falsification.h"

namespace agon::verify {

using term::Term;

namespace {

/// What is decided before this iteration needs no help, unless it is hard.
constexpr std::size_t kFirst = 4;
constexpr std::size_t kFirstIfHard = 2;
constexpr std::uint64_t kHard = 1500;
/// What may be spent in each of the first ones, whatever the others cost:
/// enough for programs that do not branch much.
constexpr std::uint64_t kLeast = 500;
constexpr std::uint64_t kMostAlways = 4'500;
constexpr std::size_t kMostNodes = 200'000;
constexpr std::uint64_t kLast = 100'000;
/// Edges and constraints that cost about as much as a state.
constexpr std::size_t kSteps = 16;

}  // namespace

Unrolling::Unrolling(const Task& task, Component& component, unsigned share,
                     smt::Solver& solver, support::Context& context)
    : task_(task),
      component_(component),
      solver_(solver),
      context_(context),
      share_(share) {
  Node root;
  root.cut = component.blocks().body().entry();
  root.guard = component.start().constraints;
  root.values = component.start().values;
  root.states = closure({task.spec.initial()});
  nodes_.push_back(std::move(root));
  open_.push_back(0);
}

Unrolling::Outcome Unrolling::attempt(std::uint64_t work) {
  if (share_ == 0) return Outcome::Open;
  if (share_ == 1) return run(spent_ + kLast);
  if (++asked_ < (work > kHard ? kFirstIfHard : kFirst)) return Outcome::Open;
  const std::uint64_t always = std::min(kLeast * (asked_ - 1), kMostAlways);
  return run(std::max(always, work / share_));
}

Unrolling::Outcome Unrolling::attempt_last() { return run(spent_ + kLast); }

Unrolling::Outcome Unrolling::run(std::uint64_t allowed) {
  while (spent_ < allowed && nodes_.size() < kMostNodes &&
         !context_.exhausted()) {
    const auto node = take_next();
    if (!node) break;
    expand(*node);
    if (is_violated_) return Outcome::Violated;
  }
  const bool is_done = open_.empty() && postponed_.empty() && is_complete_ &&
                       !context_.exhausted();
  return is_done ? Outcome::Complete : Outcome::Open;
}

std::optional<std::uint32_t> Unrolling::take_next() {
  std::deque<std::uint32_t>& from = open_.empty() ? postponed_ : open_;
  if (from.empty()) return std::nullopt;
  const std::uint32_t node = from.front();
  from.pop_front();
  return node;
}

/// The same on all paths of one length, so that their formulas are the same.
Term Unrolling::choice(ir::EdgeId edge, std::uint32_t depth) {
  Term& known = choices_[{edge, depth}];
  if (!known.valid()) {
    const ir::Program& program = task_.program;
    const auto& havoc =
        std::get<ir::Havoc>(component_.blocks().body().edge(edge).statement);
    known = program.pool->fresh("choice", program[havoc.target].term.sort());
  }
  return known;
}

void Unrolling::expand(std::uint32_t id) {
  const ir::LocationId cut = nodes_[id].cut;
  const std::uint32_t depth = nodes_[id].depth;
  const auto choose = [&](ir::EdgeId edge) { return choice(edge, depth); };
  spent_ += 1 + component_.blocks().block(cut).order.size() / kSteps;
  const abstraction::Values values = std::move(nodes_[id].values);
  for (abstraction::Exit& exit :
       component_.steps().execution().run(cut, values, choose)) {
    const smt::Answer answer = is_possible(id, exit);
    if (answer == smt::Answer::Unsat) continue;
    add(id, std::move(exit), answer);
    if (is_violated_ || context_.exhausted()) return;
  }
}

/// Whether a path can go on there. What the solver cannot decide can. Where the
/// path so far is possible, conditions about other things do not matter.
smt::Answer Unrolling::is_possible(std::uint32_t parent,
                                   const abstraction::Exit& exit) {
  if (support::is_broken("paths") && parent >= 4) return smt::Answer::Unsat;
  const bool is_certain = nodes_[parent].is_certain;
  if (exit.guard.empty()) {
    return is_certain ? smt::Answer::Sat : smt::Answer::Unknown;
  }
  std::vector<Term> parts = conditions(parent);
  if (is_certain) {
    std::set<Term> about;
    for (const Term part : exit.guard) {
      about.insert(leaves(part).begin(), leaves(part).end());
    }
    parts = related(std::move(parts), std::move(about));
  }
  spent_ += Falsification::kQuery + parts.size() / kSteps;
  ++context_.statistics()["solver.calls"];
  solver_.push();
  for (const Term part : exit.guard) solver_.add(part);
  for (const Term part : parts) solver_.add(part);
  const std::uint64_t before = solver_.spent();
  const smt::Answer answer = solver_.check();
  solver_.pop();
  spent_ += (solver_.spent() - before) / Falsification::kResourcesPerState;
  return answer;
}

/// Those under which a path is taken.
std::vector<Term> Unrolling::conditions(std::uint32_t node) const {
  std::vector<Term> result;
  for (;; node = nodes_[node].guarded) {
    const std::vector<Term>& guard = nodes_[node].guard;
    result.insert(result.end(), guard.begin(), guard.end());
    if (node == 0) return result;
  }
}

/// Variables, and an invalid term for all addresses: these depend on each
/// other.
const std::vector<Term>& Unrolling::leaves(Term formula) {
  const auto [at, is_new] = leaves_.try_emplace(formula);
  if (!is_new) return at->second;
  std::vector<Term> found;
  term::visit_subterms(formula, [&](Term t) {
    if (t.kind() == term::Kind::Variable) found.push_back(t);
    if (t.kind() == term::Kind::Address) found.emplace_back();
  });
  support::sort_unique(found);
  return at->second = std::move(found);
}

/// Of some conditions, those that say something about certain leaves, directly
/// or by way of others; sorted.
std::vector<Term> Unrolling::related(std::vector<Term> conditions,
                                     std::set<Term> about) {
  std::vector<Term> result;
  for (std::size_t before = 1; before != 0;) {
    before = result.size();
    std::erase_if(conditions, [&](Term condition) {
      const std::vector<Term>& found = leaves(condition);
      if (!std::ranges::any_of(found,
                               [&](Term t) { return about.contains(t); }))
        return false;
      about.insert(found.begin(), found.end());
      result.push_back(condition);
      return true;
    });
    before = result.size() - before;
  }
  support::sort_unique(result);
  return result;
}

/// Two nodes with the same one have the same future: conditions about nothing
/// that can still matter only say that there is a way to the node.
Unrolling::Situation Unrolling::situation(std::uint32_t id) {
  const Node& node = nodes_[id];
  const auto& liveness = component_.steps().execution().liveness();
  std::vector<abstraction::Values::Entry> values;
  std::set<Term> about;
  for (const auto& [variable, value] : node.values.entries()) {
    if (!liveness.is_live(node.cut, variable)) continue;
    values.emplace_back(variable, value);
    about.insert(leaves(value).begin(), leaves(value).end());
  }
  std::vector<Term> parts = conditions(id);
  spent_ += parts.size() / kSteps;
  for (const Term part : parts) {
    for (const Term leaf : leaves(part)) {
      if (!leaf.valid()) continue;
      const ir::VariableId variable = task_.program.variable_of(leaf);
      const bool is_start = variable.valid() &&
                            liveness.is_live(node.cut, variable) &&
                            !node.values.find(variable).valid();
      if (is_start) about.insert(leaf);
    }
  }
  return {node.cut, node.states, std::move(values),
          related(std::move(parts), std::move(about))};
}

void Unrolling::add(std::uint32_t parent, abstraction::Exit exit,
                    smt::Answer answer) {
  const abstraction::Blocks& blocks = component_.blocks();
  Node node;
  node.parent = parent;
  node.edge = exit.edge;
  node.cut = blocks.body().edge(exit.edge).to;
  node.guard = std::move(exit.guard);
  node.values = std::move(exit.values);
  node.states = nodes_[parent].states;
  node.depth = nodes_[parent].depth + 1;
  node.guarded = nodes_[parent].guard.empty() ? nodes_[parent].guarded : parent;
  node.is_certain = answer == smt::Answer::Sat;
  bool is_allowed = true;
  if (const ir::FunctionId action = blocks.action(exit.edge); action.valid()) {
    const auto label = task_.spec.labels()->find(task_.program[action].display);
    if (label) performed_.insert(*label);
    node.states = label ? after(*node.states, *label) : closure({});
    is_allowed = !node.states->empty();
  }
  nodes_.push_back(std::move(node));
  const auto id = static_cast<std::uint32_t>(nodes_.size() - 1);
  if (is_allowed) {
    const bool is_new =
        !nodes_[id].is_certain || known_.insert(situation(id)).second;
    (is_new ? open_ : postponed_).push_back(id);
    return;
  }
  examine(id);
  if (!is_violated_) nodes_.pop_back();
}

/// A path to an action that is not allowed.
void Unrolling::examine(std::uint32_t node) {
  refine::Play play = play_to(node);
  spent_ += Falsification::kQuery;
  const std::uint64_t before = solver_.spent();
  refine::Feasibility found = component_.decide(play);
  spent_ += (solver_.spent() - before) / Falsification::kResourcesPerState;
  if (found.answer == smt::Answer::Unsat) return;
  is_violated_ = found.answer == smt::Answer::Sat && !context_.exhausted() &&
                 !component_.doubt(found);
  is_complete_ = is_complete_ && is_violated_;
  if (!is_violated_) return;
  play_ = std::move(play);
  found_ = std::move(found);
}

refine::Play Unrolling::play_to(std::uint32_t node) const {
  refine::Play play;
  for (; node != 0; node = nodes_[node].parent) {
    refine::Play::Node step;
    step.cut = nodes_[nodes_[node].parent].cut;
    step.is_start = nodes_[node].parent == 0;
    step.exit = nodes_[node].edge;
    play.nodes.push_back(std::move(step));
  }
  std::ranges::reverse(play.nodes);
  for (std::uint32_t i = 0; i + 1 < play.nodes.size(); ++i) {
    play.nodes[i].children = {i + 1};
  }
  return play;
}

const Unrolling::States* Unrolling::closure(States states) {
  std::vector<lts::State> open(states.begin(), states.end());
  while (!open.empty()) {
    const lts::State state = open.back();
    open.pop_back();
    for (const lts::Transition t : task_.spec.out(state)) {
      if (t.label == lts::kTau && states.insert(t.target).second) {
        open.push_back(t.target);
      }
    }
  }
  return &*sets_.insert(std::move(states)).first;
}

const Unrolling::States* Unrolling::after(const States& states,
                                          lts::Label label) {
  States next;
  for (const lts::State state : states) {
    for (const lts::Transition t : task_.spec.out(state)) {
      if (t.label == label) next.insert(t.target);
    }
  }
  return closure(std::move(next));
}

std::vector<bool> Unrolling::reached_states() const {
  std::vector<bool> result(task_.spec.num_states(), false);
  for (const States& states : sets_) {
    for (const lts::State state : states) result[state.index()] = true;
  }
  return result;
}

std::uint32_t Unrolling::most_rounds() const {
  const ir::LoopOrder loops(component_.blocks().body());
  std::vector<bool> is_inner(nodes_.size());
  for (const Node& node : nodes_) is_inner[node.parent] = true;
  std::uint32_t most = 1;
  for (std::uint32_t leaf = 0; leaf < nodes_.size(); ++leaf) {
    if (is_inner[leaf]) continue;
    std::vector<ir::LocationId> path;
    for (std::uint32_t id = leaf; id != 0; id = nodes_[id].parent) {
      path.push_back(nodes_[id].cut);
    }
    std::map<ir::LocationId, std::uint32_t> passed;
    for (; !path.empty(); path.pop_back()) {
      const std::uint32_t round = passed[path.back()] + 1;
      for (const ir::LocationId l : loops.loop(path.back())) passed.erase(l);
      passed[path.back()] = round;
      most = std::max(most, round);
    }
  }
  return most;
}

std::optional<std::set<ir::EdgeId>> Unrolling::last_actions() const {
  const abstraction::Blocks& blocks = component_.blocks();
  std::set<ir::EdgeId> result;
  for (const Node& node : nodes_) {
    if (!node.edge.valid() || !blocks.action(node.edge).valid()) continue;
    if (!blocks.block(node.cut).exits.empty()) return std::nullopt;
    result.insert(node.edge);
  }
  return result;
}

}  // namespace agon::verify
