// SPDX-License-Identifier: Apache-2.0
#include "verify/falsification.h"

#include <algorithm>

#include "ir/interpreter.h"
#include "lts/determinise.h"
#include "lts/successors.h"
#include "verify/start.h"

namespace agon::verify {
namespace {

using term::Bits;
using term::Term;

/// What is decided before this iteration needs no help.
constexpr std::size_t kFirst = 4;
/// A few hundredths of what it costs to start and to read a file, besides the
/// share of the work.
constexpr std::uint64_t kFree = 100;
/// What an iteration costs at least in nodes, besides what it counts.
constexpr std::uint64_t kMoreThanCounted = 240;
/// Edges that are looked at in the time in which a node is made.
constexpr std::size_t kEdgesPerNode = 8;
/// Smaller models are not worth the effort.
constexpr std::size_t kFewestNodes = 300;
constexpr std::size_t kMostNodes = 4'000;
constexpr std::uint64_t kMostInterpreted = 20'000'000;  // Of an execution.
constexpr std::uint64_t kRecordedSteps = 20'000;
/// What one query may cost: some tenths of a second. What the game does not
/// learn then, it does without.
constexpr std::uint64_t kResources = 300'000;
constexpr std::uint64_t kShownSteps = 1'000;  // Of one that is longer.
/// Steps of the interpreter that take as long as a node.
constexpr std::uint64_t kStepsPerNode = 100;
/// What executions may cost that are tried: one part in so many of the work,
/// and so many nodes, times the square of the number of iterations, but not
/// more than some tenths of a second. Iterations that do not come to an end
/// cost more and more, also where that is not counted.
constexpr std::uint64_t kTrialsEach = 20;
constexpr std::uint64_t kMostTrials = 20'000;
constexpr std::uint64_t kTrials = 20;
/// What they may cost where nothing else is left.
constexpr std::uint64_t kLastTrials = 10'000;
/// Steps of the interpreter in the time of a node, where nobody chooses by a
/// strategy.
constexpr std::uint64_t kTrialStepsPerNode = 200;

/// What is said to the solver for a game is forgotten with it: formulas of
/// whole blocks would make all later questions harder.
class Apart {
 public:
  explicit Apart(smt::Solver& solver) : solver_(solver) { solver_.push(); }
  ~Apart() { solver_.pop(); }
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

 private:
  smt::Solver& solver_;
};

/// Makes recorded choices in order, as in an execution.
class MadeChoices final : public ir::ZeroEnvironment {
 public:
  explicit MadeChoices(const falsify::Execution& made) : made_(made) {}

  Bits choose(const ir::Program& program, const ir::Havoc& havoc,
              const ir::Position&) override {
    const term::Sort sort = program[havoc.target].term.sort();
    if (sort.is_array() || next_ >= made_.choices.size()) return 0;
    return made_.choices[next_++].value;
  }
  Bits initial_value(const ir::Program&, ir::VariableId variable) override {
    const auto chosen = std::ranges::find(made_.start, variable,
                                          &falsify::ChosenValue::variable);
    return chosen != made_.start.end() ? chosen->value : 0;
  }

 private:
  const falsify::Execution& made_;
  std::size_t next_ = 0;
};

/// Drops what comes after so many actions.
void cut_behind(std::size_t actions, const abstraction::Blocks& blocks,
                std::vector<ir::Step>& path) {
  const auto end = std::ranges::find_if(path, [&](const ir::Step& step) {
    return blocks.action(step.edge).valid() && --actions == 0;
  });
  if (end != path.end()) path.erase(end + 1, path.end());
}

/// The path as steps of blocks.
refine::Play play_of(std::span<const ir::Step> path,
                     const abstraction::Blocks& blocks) {
  refine::Play play;
  ir::LocationId at = blocks.body().entry();
  for (const ir::Step& step : path) {
    const ir::Edge& edge = blocks.body().edge(step.edge);
    if (!blocks.is_cut(edge.to) && !blocks.action(step.edge).valid()) continue;
    refine::Play::Node node;
    node.cut = at;
    node.is_start = play.nodes.empty();
    node.exit = step.edge;
    if (!node.is_start) {
      play.nodes.back().children = {
          static_cast<std::uint32_t>(play.nodes.size())};
    }
    play.nodes.push_back(std::move(node));
    at = edge.to;
  }
  return play;
}

/// The path with its choices, as the interpreter will be asked for them.
refine::Execution execution_of(const Task& task, std::span<const ir::Step> path,
                               const falsify::Execution& made) {
  refine::Execution result;
  std::size_t next = 0;
  const ir::Cfa& body = task.program[task.entry].body;
  for (const ir::Step& step : path) {
    refine::Execution::Step taken{step.edge, std::nullopt};
    const auto* const havoc =
        std::get_if<ir::Havoc>(&body.edge(step.edge).statement);
    if (havoc != nullptr) {
      const term::Sort sort = task.program[havoc->target].term.sort();
      taken.value = term::Value{sort, 0, {}};
      if (!sort.is_array() && next < made.choices.size()) {
        taken.value->number = made.choices[next++].value;
      }
    }
    result.steps.push_back(std::move(taken));
  }
  return result;
}

/// Takes down the actions of a run up to the first that is forbidden, and says
/// how many there are; 0 if none is.
std::size_t judge(const Task& task, const ir::Run& run,
                  support::Context& context, Falsified& to) {
  lts::ExplicitSuccessors system(task.spec);
  lts::Determinised sets(system, lts::Silent::Hidden, lts::Errors::Ignore,
                         context);
  lts::State at = sets.initial();
  for (std::size_t i = 0; i < run.actions.size(); ++i) {
    const std::string& name = task.program[run.actions[i].routine].display;
    to.actions.push_back(name);
    const auto label = task.spec.labels()->find(name);
    const auto moves = sets.expand(at);
    const auto move = std::ranges::find_if(
        moves, [&](lts::Transition t) { return label && t.label == *label; });
    if (move != moves.end()) {
      at = move->target;
      continue;
    }
    for (const lts::Transition t : moves) {
      to.allowed.push_back(task.spec.labels()->name(t.label));
    }
    std::ranges::sort(to.allowed);
    to.last = run.actions[i].position;
    return i + 1;
  }
  return 0;
}

}  // namespace

Falsification::Falsification(const Task& task, Component& component,
                             unsigned share, smt::Solver& solver,
                             support::Context& context)
    : task_(task),
      blocks_(component.blocks()),
      solver_(solver),
      context_(context),
      // What things cost is estimated, and may be twice as much.
      share_(share <= 1 ? share : 2 * share),
      fixed_(10 + task.program[task.entry].body.edges().size() / kEdgesPerNode),
      models_(task, component, share_, solver, context),
      is_possible_(share != 0 && task.mathematical == nullptr) {}

std::optional<Falsified> Falsification::attempt(
    abstraction::AbstractProgram& model, std::span<const Term> predicates,
    std::uint64_t work) {
  if (!is_possible_) return std::nullopt;
  const Apart apart(solver_);
  ++asked_;
  if (const auto won = models_.play(model, work)) {
    if (auto result = run(won->execution)) {
      result->strategy = won->strategy;
      return result;
    }
  }
  if (asked_ < kFirst && share_ != 1) return std::nullopt;
  // A strategy says more than an execution does.
  if (auto won = attempt_finer(predicates, work)) return won;
  const std::uint64_t late = asked_ - std::min(asked_, kFirst - 1);
  return attempt_trials(std::min(kTrialsEach * late * late, kMostTrials) +
                        work / kTrials);
}

std::optional<Falsified> Falsification::attempt_trials(std::uint64_t nodes) {
  if (!trials_) trials_.emplace(task_, context_);
  while (const auto made = trials_->attempt(nodes * kTrialStepsPerNode)) {
    if (auto result = run(*made)) return result;
  }
  return std::nullopt;
}

std::optional<Falsified> Falsification::attempt_finer(
    std::span<const Term> predicates, std::uint64_t work) {
  const std::uint64_t left = allowed(work, share_);
  Finer* const next = cheapest(predicates);
  if (next == nullptr ||
      left < fixed_ + std::max<std::uint64_t>(next->cost, kFewestNodes)) {
    return std::nullopt;
  }
  return play(*next, predicates, left - fixed_);
}

std::optional<Falsified> Falsification::attempt_last(
    std::span<const Term> predicates, std::uint64_t work) {
  if (!is_possible_) return std::nullopt;
  const Apart apart(solver_);
  std::optional<Falsified> result;
  while (!result && is_possible_) {
    const std::uint64_t left = allowed(work, std::max(share_ / 2, 1U));
    Finer* const next = cheapest(predicates);
    if (next == nullptr ||
        left < fixed_ + std::max<std::uint64_t>(next->cost, kFree)) {
      break;
    }
    result = play(*next, predicates, left - fixed_);
  }
  if (result) return result;
  return attempt_trials(std::max(kLastTrials, work / kTrials));
}

std::uint64_t Falsification::allowed(std::uint64_t work, unsigned share) const {
  if (share_ == 1) return fixed_ + kQuery * kMostNodes;
  const std::uint64_t others =
      work - kQuery * queries_ + kMoreThanCounted * asked_;
  const std::uint64_t all = kFree + others / share;
  return all - std::min(all, spent_);
}

Falsification::Finer* Falsification::cheapest(
    std::span<const Term> predicates) {
  if (!std::ranges::equal(predicates, played_)) finer_.back().is_done = false;
  Finer* best = nullptr;
  for (Finer& each : finer_) {
    if (each.is_done || (best != nullptr && best->cost <= each.cost)) continue;
    best = &each;
  }
  return best;
}

std::optional<Falsified> Falsification::play(Finer& finer,
                                             std::span<const Term> predicates,
                                             std::uint64_t budget) {
  if (!monitored_) monitored_ = monitor(task_, context_);
  is_possible_ = monitored_.has_value();
  if (!is_possible_) return std::nullopt;
  falsify::Options options;
  options.domain = finer.domain;
  options.conditions = monitored_->states;
  if (&finer == &finer_.back()) {
    played_.assign(predicates.begin(), predicates.end());
    options.predicates = played_;
    options.predicates.insert(options.predicates.end(),
                              monitored_->states.begin(),
                              monitored_->states.end());
  }
  options.model.max_nodes = std::min<std::uint64_t>(budget, kMostNodes);
  options.model.max_queries = budget / kQuery;
  options.max_steps = kMostInterpreted;
  falsify::Question question{monitored_->program, task_.entry,
                             start_of(monitored_->program).values.entries()};
  std::uint64_t& calls = context_.statistics()["solver.calls"];
  const std::uint64_t before = calls;
  ++context_.statistics()["falsification.finer"];
  solver_.set_limits({kResources, {}});
  const falsify::Result played =
      falsify::falsify(question, options, solver_, context_);
  solver_.set_limits({});
  const std::uint64_t queries = calls - before;
  const std::uint64_t cost = played.nodes + kQuery * queries;
  spent_ += fixed_ + cost;
  if (played.wins && !played.execution)
    spent_ += kMostInterpreted / kStepsPerNode;
  queries_ += queries;
  const bool is_cut = played.nodes >= options.model.max_nodes ||
                      queries > options.model.max_queries;
  // Once it is all there, or too large, something else has to help.
  finer.is_done = !is_cut || cost >= kMostNodes;
  finer.cost = is_cut ? 2 * cost : cost;
  if (!played.execution || played.is_conditional) return std::nullopt;
  auto result = run(*played.execution);
  if (!result) return std::nullopt;
  for (const falsify::StrategyStep& step : played.strategy) {
    result->strategy.push_back(
        step.place.empty() ? step.text : step.place + ": " + step.text);
  }
  return result;
}

std::optional<Falsified> Falsification::run(const falsify::Execution& made) {
  ir::InterpreterOptions options;
  options.max_steps = kMostInterpreted;
  options.record_path = made.steps <= kRecordedSteps;
  MadeChoices all(made);
  ir::Run done = ir::interpret(task_.program, task_.entry, all, options);
  Falsified result;
  const std::size_t actions = judge(task_, done, context_, result);
  if (actions == 0) return std::nullopt;
  if (!options.record_path) {
    options.record_path = true;
    options.max_steps = kShownSteps;
    MadeChoices again(made);
    done.path = ir::interpret(task_.program, task_.entry, again, options).path;
    result.num_omitted = made.steps - std::min(made.steps, kShownSteps);
  }
  cut_behind(actions, blocks_, done.path);
  result.play = play_of(done.path, blocks_);
  result.found.answer = smt::Answer::Sat;
  for (const falsify::ChosenValue& chosen : made.start) {
    const Term variable = task_.program[chosen.variable].term;
    result.found.initial[variable] = {variable.sort(), chosen.value, {}};
  }
  result.found.executions = {execution_of(task_, done.path, made)};
  result.made = made;
  return result;
}

}  // namespace agon::verify
