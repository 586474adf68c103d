// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "falsify/names.h"
#include "ir/interpreter.h"
#include "term/substitute.h"
#include "verify/model_game.h"

namespace agon::verify {
namespace {

using falsify::NodeId;
using term::Bits;
using term::Term;

constexpr std::uint64_t kMostRun = 2'000'000;
/// Blocks for which the strategy is asked; further choices are 0.
constexpr std::uint64_t kMostBlocks = 200'000;

/// Follows the game while the program runs, and chooses for the Falsifier.
class Guide final : public ir::ZeroEnvironment, public ir::Listener {
 public:
  Guide(const Task& task, const abstraction::Blocks& blocks,
        abstraction::AbstractProgram& model, const Board& board,
        const std::vector<falsify::Win>& wins,
        abstraction::AbstractSteps& steps, const ChosenValues& start,
        lts::Determinised& sets)
      : program_(task.program),
        labels_(task.spec.labels()),
        blocks_(blocks),
        model_(model),
        board_(board),
        wins_(wins),
        steps_(steps),
        start_(start),
        sets_(sets),
        names_(task.program, task.entry) {}

  bool step(const ir::Step& step, const ir::StateView& view) override {
    if (has_failed_ || is_at_error) return false;
    const ir::Edge& edge = blocks_.body().edge(step.edge);
    if (is_between_) enter(edge.from, view);
    const ir::FunctionId action = blocks_.action(step.edge);
    is_between_ = blocks_.is_cut(edge.to) || action.valid();
    if (action.valid()) perform(program_[action].display);
    return !has_failed_;
  }

  void before_choice(ir::EdgeId edge, const ir::StateView&) override {
    const auto found = values_.find(steps_.choice(edge));
    value_ = found != values_.end() ? found->second : 0;
  }

  Bits choose(const ir::Program& program, const ir::Havoc& havoc,
              const ir::Position& position) override {
    const term::Sort sort = program[havoc.target].term.sort();
    if (sort.is_array()) return 0;
    const Bits value =
        term::truncate(value_, std::max<unsigned>(sort.width, 1));
    made.choices.push_back(
        {havoc.target, names_.of(havoc.target), value, position});
    return value;
  }

  Bits initial_value(const ir::Program& program,
                     ir::VariableId variable) override {
    const auto found = start_.find(program[variable].term);
    const Bits value = found != start_.end() ? found->second : 0;
    made.start.push_back({variable, names_.of(variable), value, {}});
    return value;
  }

  falsify::Execution made;
  bool is_at_error = false;

 private:
  /// A block starts here.
  void enter(ir::LocationId location, const ir::StateView& view) {
    values_.clear();
    if (++num_blocks_ > kMostBlocks) return;
    if (num_blocks_ > 1 && !find_node(location, view)) {
      has_failed_ = true;
      return;
    }
    const falsify::Win& win = wins_[at_];
    if (num_blocks_ == 1) values_ = start_;
    if (win.move == falsify::Win::kWhatever) return;
    const Steering& steering = board_.steers[at_][win.move];
    for (const ChosenValues& values : steering.values) {
      values_ = values;
      if (holds(steering.leads, view)) return;
    }
  }

  bool find_node(ir::LocationId location, const ir::StateView& view) {
    values_.clear();
    for (const falsify::Move& move : board_.model.nodes[at_].moves) {
      const Board::Position& position = board_.positions[move.target];
      if (!position.state.valid() || position.spec != spec_ ||
          model_.location(position.state) != location) {
        continue;
      }
      const auto literals = steps_.literals(
          location, model_.values(position.state), model_.precision());
      if (std::ranges::all_of(literals,
                              [&](Term t) { return holds(t, view); })) {
        at_ = move.target;
        return true;
      }
    }
    return false;
  }

  void perform(const std::string& name) {
    const auto label = labels_->find(name);
    const auto moves = sets_.expand(spec_);
    const auto move = std::ranges::find_if(
        moves, [&](lts::Transition t) { return label && t.label == *label; });
    is_at_error = move == moves.end();
    if (!is_at_error) spec_ = move->target;
  }

  /// Whether a formula is true, with the present values of choices. What is
  /// said about memory is taken to be true.
  bool holds(Term formula, const ir::StateView& view) const {
    if (formula.kind() == term::Kind::And) {
      return std::ranges::all_of(formula.operands(),
                                 [&](Term part) { return holds(part, view); });
    }
    term::Assignment state;
    for (const Term variable : term::variables_of(formula)) {
      if (variable.sort().is_array()) return true;
      const ir::VariableId id = program_.variable_of(variable);
      const auto chosen = values_.find(variable);
      if (chosen != values_.end()) {
        state[variable] = {variable.sort(), chosen->second, {}};
      } else if (id.valid()) {
        state[variable] = {variable.sort(), view.value(id), {}};
      }
    }
    return term::evaluate(formula, state).number != 0;
  }

  const ir::Program& program_;
  lts::SharedLabels labels_;
  const abstraction::Blocks& blocks_;
  abstraction::AbstractProgram& model_;
  const Board& board_;
  const std::vector<falsify::Win>& wins_;
  abstraction::AbstractSteps& steps_;
  const ChosenValues& start_;
  lts::Determinised& sets_;
  falsify::Names names_;
  NodeId at_ = 0;
  lts::State spec_ = sets_.initial();
  std::uint64_t num_blocks_ = 0;
  bool is_between_ = true;
  bool has_failed_ = false;
  ChosenValues values_;
  Bits value_ = 0;
};

}  // namespace

std::optional<falsify::Execution> run_strategy(
    const Task& task, Component& component, abstraction::AbstractProgram& model,
    const Board& board, const std::vector<falsify::Win>& wins,
    const ChosenValues& start, lts::Determinised& sets,
    support::Context& context) {
  Guide guide(task, component.blocks(), model, board, wins, component.steps(),
              start, sets);
  ir::InterpreterOptions options;
  options.max_steps = kMostRun;
  options.listener = &guide;
  options.is_stopped = [&] { return context.exhausted().has_value(); };
  const ir::Run run = ir::interpret(task.program, task.entry, guide, options);
  if (!guide.is_at_error) return std::nullopt;
  guide.made.steps = run.steps;
  return std::move(guide.made);
}

}  // namespace agon::verify
