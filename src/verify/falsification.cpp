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
/// Costs less than can be measured, besides the share of the work.
constexpr std::uint64_t kFree = 800;
/// Where nothing else is left to try.
constexpr std::uint64_t kLast = 6'400;
/// Smaller models are not worth the effort.
constexpr std::size_t kFewestNodes = 100;
constexpr std::size_t kMostNodes = 4'000;
constexpr std::uint64_t kMostSteps = 20'000'000;  // Of an execution.
constexpr std::uint64_t kRecordedSteps = 20'000;
/// What one query may cost: some tenths of a second. What the game does not
/// learn then, it does without.
constexpr std::uint64_t kResources = 300'000;
constexpr std::uint64_t kShownSteps = 1'000;  // Of one that is longer.
/// Steps of the interpreter that take as long as a node.
constexpr std::uint64_t kStepsPerNode = 100;

/// Makes recorded choices in order, as in an execution.
class Choices final : public ir::ZeroEnvironment {
 public:
  explicit Choices(const falsify::Execution& made) : made_(made) {}

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
      fixed_(task.program[task.entry].body.edges().size()),
      models_(task, component, share_, solver, context),
      is_possible_(share != 0 && task.mathematical == nullptr) {}

std::optional<Falsified> Falsification::attempt(
    abstraction::AbstractProgram& model, std::span<const Term> predicates,
    std::uint64_t work) {
  if (!is_possible_) return std::nullopt;
  if (const auto won = models_.play(model, work)) {
    if (auto result = run(won->execution)) {
      result->strategy = won->strategy;
      return result;
    }
  }
  return attempt_finer(predicates, work);
}

std::optional<Falsified> Falsification::attempt_finer(
    std::span<const Term> predicates, std::uint64_t work) {
  ++asked_;
  if (!is_possible_ || (asked_ < kFirst && share_ != 1)) return std::nullopt;
  const std::uint64_t allowed =
      share_ == 1 ? spent_ + fixed_ + kQuery * kMostNodes
                  : kFree + (work - kQuery * queries_) / share_;
  const std::uint64_t wanted =
      fixed_ + std::clamp<std::uint64_t>(2 * needed_, kFewestNodes, kMostNodes);
  if (allowed < spent_ + wanted) return std::nullopt;
  return play_next(predicates, allowed - spent_ - fixed_);
}

std::optional<Falsified> Falsification::attempt_last(
    std::span<const Term> predicates) {
  std::optional<Falsified> result;
  const auto first = static_cast<unsigned>(stage_);
  for (unsigned i = first; i <= static_cast<unsigned>(Stage::Found); ++i) {
    stage_ = static_cast<Stage>(i);
    if (!result && is_possible_) {
      result = play_next(predicates, kLast);
    }
  }
  return result;
}

std::optional<Falsified> Falsification::play_next(
    std::span<const Term> predicates, std::uint64_t budget) {
  if (!monitored_) monitored_ = monitor(task_, context_);
  is_possible_ = monitored_.has_value();
  if (!is_possible_) return std::nullopt;
  if (stage_ == Stage::Found) {
    if (std::ranges::equal(predicates, played_) && needed_ == 0) return {};
    played_.assign(predicates.begin(), predicates.end());
    return play("interval+predicates", predicates, budget);
  }
  auto result =
      play(stage_ == Stage::Intervals ? "interval" : "predicates", {}, budget);
  // Once it is all there, or too large, something else has to help.
  if (needed_ == 0 || needed_ >= kMostNodes) {
    stage_ = stage_ == Stage::Intervals ? Stage::Branches : Stage::Found;
    needed_ = 0;
  }
  return result;
}

std::optional<Falsified> Falsification::play(const std::string& domain,
                                             std::span<const Term> predicates,
                                             std::uint64_t budget) {
  falsify::Options options;
  options.domain = domain;
  options.conditions = monitored_->states;
  if (!predicates.empty()) {
    options.predicates.assign(predicates.begin(), predicates.end());
    options.predicates.insert(options.predicates.end(),
                              monitored_->states.begin(),
                              monitored_->states.end());
  }
  options.model.max_nodes = std::min<std::uint64_t>(budget, kMostNodes);
  options.model.max_queries = budget / kQuery;
  options.max_steps = kMostSteps;
  falsify::Question question{monitored_->program, task_.entry,
                             start_of(monitored_->program).values.entries()};
  std::uint64_t& calls = context_.statistics()["solver.calls"];
  const std::uint64_t before = calls;
  solver_.set_limits({kResources, {}});
  const falsify::Result played =
      falsify::falsify(question, options, solver_, context_);
  solver_.set_limits({});
  const std::uint64_t queries = calls - before;
  const std::uint64_t cost = played.nodes + kQuery * queries;
  spent_ += fixed_ + cost;
  if (played.wins && !played.execution) spent_ += kMostSteps / kStepsPerNode;
  queries_ += queries;
  const bool is_cut = played.nodes >= options.model.max_nodes ||
                      queries > options.model.max_queries;
  needed_ = is_cut ? cost : 0;
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
  options.max_steps = kMostSteps;
  options.record_path = made.steps <= kRecordedSteps;
  Choices all(made);
  ir::Run done = ir::interpret(task_.program, task_.entry, all, options);
  Falsified result;
  const std::size_t actions = judge(task_, done, context_, result);
  if (actions == 0) return std::nullopt;
  if (!options.record_path) {
    options.record_path = true;
    options.max_steps = kShownSteps;
    Choices again(made);
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
