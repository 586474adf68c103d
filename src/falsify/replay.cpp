// SPDX-License-Identifier: Apache-2.0
#include "falsify/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <unordered_map>

#include "falsify/names.h"
#include "term/quick.h"
#include "term/substitute.h"

namespace agon::falsify {
namespace {

using term::Bits;
using term::Term;

constexpr std::uint64_t kRecordedSteps = 100'000;

/// Choices for which the strategy is asked. Each costs a microsecond or more.
constexpr std::size_t kMostChoices = 1'500'000;

/// Nothing is known about memory, and nothing else is called.
class QuietEnvironment : public ir::Environment {
 public:
  std::vector<Bits> call(const ir::Program&, const ir::Function&,
                         std::span<const Bits>, ir::MemoryAccess&) override {
    return {};
  }
  std::uint8_t initial_byte(std::uint64_t) override { return 0; }
  Bits initial_value(const ir::Program&, ir::VariableId) override { return 0; }
};

bool is_array(const ir::Program& program, const ir::Havoc& havoc) {
  return program[havoc.target].term.sort().is_array();
}

/// Chooses as the strategy says, by the state that the choice is made in.
class StrategyEnvironment final : public QuietEnvironment, public ir::Listener {
 public:
  StrategyEnvironment(const Explicit& played, ir::FunctionId entry,
                      const Model& model, const std::vector<Win>& wins,
                      const std::vector<NodeId>& from, const Approach& approach)
      : played_(played),
        program_(played.program),
        body_(program_[entry].body),
        model_(model),
        wins_(wins),
        approach_(approach),
        random_(approach.seed.value_or(0)),
        names_(program_, entry),
        won_at_(body_.num_locations()) {
    for (const NodeId id : reached(model, wins, from)) {
      if (model.nodes[id].is_choice) {
        won_at_[model.nodes[id].location.index()].push_back(id);
      }
    }
    for (std::vector<NodeId>& won : won_at_) {
      std::ranges::stable_sort(won, {}, [&](NodeId id) {
        return std::pair(wins_[id].move == Win::kWhatever, wins_[id].rank);
      });
    }
  }

  void before_choice(ir::EdgeId edge, const ir::StateView& state) override {
    const ir::Edge& at = body_.edge(edge);
    const Term target = program_[std::get<ir::Havoc>(at.statement).target].term;
    value_ = approach_.seed ? any() : 0;
    if (approach_.values && num_asked_ < approach_.values->size()) {
      value_ = (*approach_.values)[num_asked_];
      return;
    }
    if (num_asked_ >= kMostChoices) return;
    for (const NodeId id : won_at_[at.from.index()]) {
      const Node& node = model_.nodes[id];
      if (evaluate(node.states, state, Term(), 0) == 0) continue;
      if (wins_[id].move != Win::kWhatever) {
        take(node.moves[wins_[id].move], target, state);
      }
      return;
    }
  }

  Bits choose(const ir::Program& program, const ir::Havoc& havoc,
              const ir::Position& position) override {
    if (is_array(program, havoc)) return 0;
    const Bits value = term::truncate(
        value_, std::max<unsigned>(program[havoc.target].term.width(), 1));
    ++num_asked_;
    if (havoc.target != played_.coin) note(havoc.target, value, position);
    return value;
  }

  /// Values that are put together are known at the end only.
  bool step(const ir::Step& step, const ir::StateView& state) override {
    const auto at = played_.counted.find(step.edge);
    if (at != played_.counted.end()) {
      note(at->second, state.value(at->second), body_.edge(step.edge).position);
    }
    return true;
  }

  std::vector<ChosenValue> chosen;

 private:
  void note(ir::VariableId variable, Bits value, const ir::Position& position) {
    chosen.push_back({variable, names_.of(variable), value, position});
  }

  Bits any() {
    // Small numbers of both signs are compared with more often than others.
    const Bits word = random_();
    return random_() % 2 == 0 ? word : word % 8 - 3;
  }

  void take(const Move& move, Term target, const ir::StateView& state) {
    const Term goal = model_.nodes[move.target].states;
    for (const Term value : move.values) {
      value_ = evaluate(value, state, Term(), 0);
      if (evaluate(goal, state, target, value_) != 0) return;
    }
  }

  term::Assignment values_of(Term term, const ir::StateView& state) {
    auto known = variables_.find(term);
    if (known == variables_.end()) {
      known = variables_.emplace(term, term::variables_of(term)).first;
    }
    term::Assignment values;
    for (const Term variable : known->second) {
      if (const auto value = variable_value(variable, state)) {
        values[variable] = {variable.sort(), *value, {}};
      }
    }
    return values;
  }

  std::optional<Bits> variable_value(Term variable,
                                     const ir::StateView& state) const {
    if (variable.sort().is_array()) return std::nullopt;
    const ir::VariableId id = program_.variable_of(variable);
    return id.valid() ? std::optional(state.value(id)) : std::nullopt;
  }

  /// The value of a term, with `target` changed if it is one.
  Bits evaluate(Term term, const ir::StateView& state, Term target,
                Bits value) {
    const unsigned width =
        target.valid() ? std::max<unsigned>(target.width(), 1) : 1;
    value = term::truncate(value, width);
    const auto quick = term::quick_value(term, [&](Term variable) {
      return variable == target ? std::optional(value)
                                : variable_value(variable, state);
    });
    if (quick) return *quick;
    term::Assignment values = values_of(term, state);
    if (target.valid()) values[target] = {target.sort(), value, {}};
    return static_cast<Bits>(term::evaluate(term, values).number);
  }

  const Explicit& played_;
  const ir::Program& program_;
  const ir::Cfa& body_;
  const Model& model_;
  const std::vector<Win>& wins_;
  const Approach& approach_;
  std::mt19937_64 random_;
  Names names_;
  std::vector<std::vector<NodeId>> won_at_;  // Choices, by location.
  std::unordered_map<Term, std::vector<Term>> variables_;
  Bits value_ = 0;
  std::size_t num_asked_ = 0;
};

/// Repeats choices that were made before.
class RecordedEnvironment final : public QuietEnvironment {
 public:
  RecordedEnvironment(const Question& question, const Execution& made)
      : question_(question), made_(made) {}

  Bits choose(const ir::Program& program, const ir::Havoc& havoc,
              const ir::Position&) override {
    if (is_array(program, havoc) || next_ >= made_.choices.size()) return 0;
    return made_.choices[next_++].value;
  }
  Bits initial_value(const ir::Program&, ir::VariableId variable) override {
    const auto found =
        std::ranges::find(made_.start, variable, &ChosenValue::variable);
    if (found != made_.start.end()) return found->value;
    for (const auto& [known, value] : question_.start) {
      if (known == variable && value.is_constant()) return value.value();
    }
    return 0;
  }

 private:
  const Question& question_;
  const Execution& made_;
  std::size_t next_ = 0;
};

bool is_error(const ir::Program& program, const ir::Run& run) {
  return !run.actions.empty() &&
         program[run.actions.back().routine].display == "error";
}

std::string outcome(const ir::Program& program, const ir::Run& run) {
  switch (run.outcome) {
    case ir::Outcome::StepLimit:
      return fmt::format("it takes more than {} steps", run.steps);
    case ir::Outcome::Blocked:
      return "an assumption does not hold";
    default:
      return fmt::format("it ends without an error after {} steps in {}",
                         run.steps, program[run.last_function].display);
  }
}

/// Whether a path gets to a goal. Unless the values of the choices were found
/// for this, nothing else may have been chosen before that.
bool gets_there(const ir::Program& program, ir::FunctionId entry,
                const std::vector<ir::Step>& path, const Approach& approach) {
  const ir::Cfa& body = program[entry].body;
  for (const ir::Step& step : path) {
    const ir::Edge& edge = body.edge(step.edge);
    if (approach.goal[edge.from.index()]) return true;
    const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
    if (havoc != nullptr && !approach.values && !is_input(program, *havoc)) {
      return false;
    }
  }
  return false;
}

}  // namespace

Replay replay(const Question& question, const Explicit& played,
              const Model& model, const std::vector<Win>& wins,
              const std::vector<NodeId>& from, std::uint64_t max_steps,
              const Approach& approach, support::Context& context) {
  StrategyEnvironment strategy(played, question.entry, model, wins, from,
                               approach);
  ir::InterpreterOptions options;
  options.max_steps = max_steps;
  options.is_stopped = [&] { return context.exhausted().has_value(); };
  options.record_path = !approach.goal.empty();
  if (!played.counted.empty()) options.listener = &strategy;
  const ir::Run first =
      ir::interpret(played.program, question.entry, strategy, options);
  if (!is_error(played.program, first)) {
    return {std::nullopt, outcome(played.program, first)};
  }
  if (!approach.goal.empty() &&
      !gets_there(played.program, question.entry, first.path, approach)) {
    return {std::nullopt, "it does not get to the line"};
  }
  Execution made;
  made.steps = first.steps;
  made.choices = std::move(strategy.chosen);
  const auto own =
      made.choices.begin() + static_cast<std::ptrdiff_t>(played.chosen.size());
  made.start.assign(made.choices.begin(), own);
  made.choices.erase(made.choices.begin(), own);
  RecordedEnvironment recorded(question, made);
  options.listener = nullptr;
  options.record_path = first.steps <= kRecordedSteps;
  const ir::Run second =
      ir::interpret(question.program, question.entry, recorded, options);
  if (!is_error(question.program, second)) {
    return {std::nullopt,
            "the same choices do not reach the error in the "
            "original program: " +
                outcome(question.program, second)};
  }
  made.steps = second.steps;
  for (const ir::Step& step : second.path) made.path.push_back(step.edge);
  return {std::move(made), {}};
}

}  // namespace agon::falsify
