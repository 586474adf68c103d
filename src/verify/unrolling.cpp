// SPDX-License-Identifier: Apache-2.0
#include "verify/unrolling.h"

#include <algorithm>

#include "ir/loop_order.h"
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
  while (spent_ < allowed && next_ < nodes_.size() &&
         nodes_.size() < kMostNodes && !context_.exhausted()) {
    expand(next_++);
    if (is_violated_) return Outcome::Violated;
  }
  const bool is_done =
      next_ == nodes_.size() && is_complete_ && !context_.exhausted();
  return is_done ? Outcome::Complete : Outcome::Open;
}

void Unrolling::expand(std::uint32_t id) {
  const ir::LocationId cut = nodes_[id].cut;
  std::map<ir::EdgeId, Term> choices;
  const ir::Program& program = task_.program;
  const auto choose = [&](ir::EdgeId edge) {
    Term& known = choices[edge];
    if (!known.valid()) {
      const auto& havoc =
          std::get<ir::Havoc>(component_.blocks().body().edge(edge).statement);
      known = program.pool->fresh("choice", program[havoc.target].term.sort());
    }
    return known;
  };
  spent_ += 1 + component_.blocks().block(cut).order.size() / kSteps;
  const abstraction::Values values = std::move(nodes_[id].values);
  for (abstraction::Exit& exit :
       component_.steps().execution().run(cut, values, choose)) {
    if (!is_possible(id, exit)) continue;
    add(id, std::move(exit));
    if (is_violated_ || context_.exhausted()) return;
  }
}

/// Whether a path can go on there. What the solver cannot decide can.
bool Unrolling::is_possible(std::uint32_t parent,
                            const abstraction::Exit& exit) {
  if (exit.guard.empty()) return true;
  spent_ += Falsification::kQuery;
  ++context_.statistics()["solver.calls"];
  solver_.push();
  for (const Term part : exit.guard) solver_.add(part);
  for (std::uint32_t id = parent;; id = nodes_[id].parent) {
    for (const Term part : nodes_[id].guard) solver_.add(part);
    spent_ += nodes_[id].guard.size() / kSteps;
    if (id == 0) break;
  }
  const std::uint64_t before = solver_.spent();
  const smt::Answer answer = solver_.check();
  solver_.pop();
  spent_ += (solver_.spent() - before) / Falsification::kResourcesPerState;
  return answer != smt::Answer::Unsat;
}

void Unrolling::add(std::uint32_t parent, abstraction::Exit exit) {
  const abstraction::Blocks& blocks = component_.blocks();
  Node node;
  node.parent = parent;
  node.edge = exit.edge;
  node.cut = blocks.body().edge(exit.edge).to;
  node.guard = std::move(exit.guard);
  node.values = std::move(exit.values);
  node.states = nodes_[parent].states;
  bool is_allowed = true;
  if (const ir::FunctionId action = blocks.action(exit.edge); action.valid()) {
    const auto label = task_.spec.labels()->find(task_.program[action].display);
    if (label) performed_.insert(*label);
    node.states = label ? after(*node.states, *label) : closure({});
    is_allowed = !node.states->empty();
  }
  nodes_.push_back(std::move(node));
  if (is_allowed) return;
  examine(static_cast<std::uint32_t>(nodes_.size() - 1));
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
