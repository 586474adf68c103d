// SPDX-License-Identifier: Apache-2.0
#include "verify/model_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/print.h"
#include "term/substitute.h"
#include "verify/falsification.h"

// The cheap answers come first, and most games end with one of them:
//
//   1. no forbidden action among the moves: lost;
//   2. the Preventer gets to an escape, even if every choice of the Falsifier
//      is possible everywhere and every loop ends: lost;
//   3. the Falsifier does not win with the rules of FALS, if every choice is
//      possible everywhere, and no loop is known to end: lost.
//
// They are passes over what is there already, and not counted. What is: to find
// out about loops, and to ask the solver about the moves of the strategy.

namespace agon::verify {
namespace {

using abstraction::AbstractProgram;
using abstraction::Exit;
using falsify::NodeId;
using smt::Answer;
using term::Term;

constexpr std::size_t kMostNodes = 20'000;
constexpr std::size_t kRounds = 3;
/// Of one query; see falsification.cpp.
constexpr std::uint64_t kResources = 300'000;

bool is_input(const ir::Program& program, const ir::Edge& edge) {
  const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
  return havoc != nullptr && falsify::is_input(program, *havoc);
}

term::Substitution constants(term::Pool& pool, const ChosenValues& values) {
  term::Substitution result;
  for (const auto& [variable, value] : values) {
    result.emplace(variable, variable.sort().is_bool()
                                 ? pool.boolean(value != 0)
                                 : pool.bits(value, variable.width()));
  }
  return result;
}

}  // namespace

ModelGame::ModelGame(const Task& task, Component& component, unsigned share,
                     smt::Solver& solver, support::Context& context)
    : task_(task),
      component_(component),
      solver_(solver),
      context_(context),
      share_(share),
      spec_(task.spec),
      sets_(spec_, lts::Silent::Hidden, lts::Errors::Ignore, context) {}

std::optional<ModelGame::Won> ModelGame::play(AbstractProgram& model,
                                              std::uint64_t work) {
  allowed_ =
      share_ == 1 ? ~std::uint64_t{0} : work / (2 * std::uint64_t{share_});
  auto& statistics = context_.statistics();
  ++statistics["falsification.models"];
  std::optional<Board> board = make_board(model);
  if (!board) return std::nullopt;
  loops_.clear();
  Settled settled = Settled::Changed;
  std::uint64_t cost = 0;  // The first time.
  while (settled == Settled::Changed && is_hopeful(*board)) {
    if (!can_afford(cost)) {
      settled = Settled::Stopped;
      break;
    }
    spent_ += cost;
    wins_ = falsify::play(board->model, loops_, context_);
    if (wins_[0].wins) {
      settled = settle(model, *board);
    } else if (!loops_.empty() || !find_loops(model, *board)) {
      return std::nullopt;
    }
    cost = board->model.nodes.size() * (1 + loops_.size());
  }
  if (settled == Settled::Stopped) ++statistics["falsification.stopped"];
  if (settled != Settled::Sure || context_.exhausted()) return std::nullopt;
  return win(model, *board);
}

std::uint64_t ModelGame::queries() const {
  return context_.statistics()["solver.calls"];
}

std::optional<Board> ModelGame::make_board(AbstractProgram& model) {
  Board board;
  std::map<std::pair<lts::State, lts::State>, NodeId> index;
  const auto add = [&](lts::State state, lts::State spec) {
    const auto [at, is_new] = index.try_emplace(
        {state, spec}, static_cast<NodeId>(board.positions.size()));
    if (is_new) board.positions.push_back({state, spec});
    return at->second;
  };
  add(model.initial(), sets_.initial());
  bool has_error = false;
  const abstraction::Blocks& blocks = component_.blocks();
  for (NodeId id = 0; id < board.positions.size(); ++id) {
    falsify::Node& node = board.model.nodes.emplace_back();
    const auto [state, spec] = board.positions[id];
    if (!state.valid()) {
      node.kind = falsify::NodeKind::Bad;
      continue;
    }
    const ir::LocationId cut = model.location(state);
    node.location = cut.valid() ? cut : blocks.body().entry();
    node.may_block = !model.is_expanded(state);
    if (node.may_block) continue;
    const auto transitions = model.expand(state);
    if (transitions.empty()) node.kind = falsify::NodeKind::End;
    if (has_inputs(node.location) || id == 0) {
      node.owner = falsify::Player::Falsifier;
    }
    for (const lts::Transition t : transitions) {
      falsify::Move move;
      move.edge = model.exit(state, t);
      move.certainty = falsify::Certainty::Open;
      lts::State next = spec;
      if (t.label != lts::kTau) {
        const auto moves = sets_.expand(spec);
        const auto found =
            std::ranges::find(moves, t.label, &lts::Transition::label);
        next = found != moves.end() ? found->target : lts::State();
      }
      has_error = has_error || !next.valid();
      move.target = next.valid() ? add(t.target, next) : add({}, {});
      board.model.nodes[id].moves.push_back(move);
    }
    if (board.positions.size() > kMostNodes || context_.exhausted()) {
      ++context_.statistics()["falsification.stopped"];
      return std::nullopt;
    }
  }
  if (!has_error) return std::nullopt;
  board.steers.resize(board.model.nodes.size());
  for (NodeId id = 0; id < board.steers.size(); ++id) {
    board.steers[id].resize(board.model.nodes[id].moves.size());
  }
  return board;
}

bool ModelGame::is_hopeful(const Board& board) const {
  return !falsify::escapes(board.model)[0];
}

bool ModelGame::has_inputs(ir::LocationId cut) {
  const auto [at, is_new] = has_inputs_.try_emplace(cut);
  if (is_new) {
    const abstraction::Blocks& blocks = component_.blocks();
    at->second = std::ranges::any_of(
        blocks.block(cut).order, [&](ir::LocationId location) {
          return std::ranges::any_of(
              blocks.body().out_edges(location), [&](ir::EdgeId edge) {
                return is_input(task_.program, blocks.body().edge(edge));
              });
        });
  }
  return at->second;
}

/// False if there are none, or if looking for them costs too much.
bool ModelGame::find_loops(AbstractProgram& model, Board& board) {
  const std::uint64_t size = board.model.nodes.size();
  const std::uint64_t edges = component_.blocks().body().edges().size();
  if (!can_afford((finder_ ? 0 : edges) + size)) {
    ++context_.statistics()["falsification.stopped"];
    return false;
  }
  if (!finder_) {
    finder_.emplace(task_.program, task_.entry);
    spent_ += edges;
  }
  for (NodeId id = 0; id < size; ++id) {
    const lts::State state = board.positions[id].state;
    board.model.nodes[id].states =
        state.valid() ? task_.program.pool->conjunction(model.literals(state))
                      : task_.program.pool->boolean(true);
  }
  const std::uint64_t asked = queries();
  solver_.set_limits({kResources, {}});
  loops_ = finder_->ending(board.model, solver_, context_);
  if (can_afford(size)) {
    const auto more = finder_->left(board.model, solver_, context_);
    loops_.insert(loops_.end(), more.begin(), more.end());
  }
  solver_.set_limits({});
  spent_ += size + Falsification::kQuery * (queries() - asked);
  return !loops_.empty();
}

ModelGame::Settled ModelGame::settle(AbstractProgram& model, Board& board) {
  bool all = true;
  for (const NodeId id : falsify::reached(board.model, wins_, {0})) {
    if (board.model.nodes[id].kind != falsify::NodeKind::Inner) continue;
    if (!can_afford(Falsification::kQuery)) return Settled::Stopped;
    const std::uint64_t asked = queries();
    solver_.set_limits({kResources, {}});
    all = is_sure(model, board, id) && all;
    solver_.set_limits({});
    spent_ += Falsification::kQuery * (queries() - asked);
    if (context_.exhausted()) return Settled::Stopped;
  }
  return all ? Settled::Sure : Settled::Changed;
}

/// Whether what the strategy does at a node is possible from all its states.
bool ModelGame::is_sure(AbstractProgram& model, Board& board, NodeId id) {
  falsify::Node& node = board.model.nodes[id];
  const lts::State state = board.positions[id].state;
  const std::uint32_t taken = wins_[id].move;
  if (taken == falsify::Win::kWhatever) {
    node.may_block = may_end(before(model, state));
    return !node.may_block;
  }
  falsify::Move& move = node.moves[taken];
  if (move.certainty == falsify::Certainty::Open) {
    Steering& steering = board.steers[id][taken];
    steering =
        steer(model, state, move.edge, board.positions[move.target].state);
    move.certainty = steering.is_sure ? falsify::Certainty::Sure
                                      : falsify::Certainty::Unsure;
  }
  return move.certainty == falsify::Certainty::Sure;
}

ModelGame::Before ModelGame::before(AbstractProgram& model, lts::State state) {
  abstraction::AbstractSteps& steps = component_.steps();
  const ir::LocationId cut = model.location(state);
  Before result{model.literals(state), nullptr};
  if (!cut.valid()) {
    result.exits = &steps.exits(component_.blocks().body().entry(),
                                component_.start().values);
    return result;
  }
  const abstraction::Values fixed = steps.constants(result.known);
  for (Term& literal : result.known) {
    literal = steps.execution().rewriter()(literal, fixed);
  }
  result.exits = &steps.exits(cut, fixed);
  return result;
}

bool ModelGame::may_end(const Before& before) {
  term::Pool& pool = *task_.program.pool;
  std::vector<Term> ways;
  for (const Exit& exit : *before.exits) {
    ways.push_back(pool.conjunction(exit.guard));
  }
  const Term ends = pool.negation(pool.disjunction(ways));
  if (ends.is_false()) return false;
  std::vector<Term> question = before.known;
  question.push_back(ends);
  std::vector<std::uint32_t> key;
  for (const Term part : question) key.push_back(part.id());
  const auto [at, is_new] = may_end_.try_emplace(std::move(key));
  if (is_new) at->second = ask(question) != Answer::Unsat;
  return at->second;
}

Term ModelGame::leads(AbstractProgram& model, const Before& before,
                      ir::EdgeId exit, lts::State target) {
  term::Pool& pool = *task_.program.pool;
  abstraction::AbstractSteps& steps = component_.steps();
  const auto way = std::ranges::find(*before.exits, exit, &Exit::edge);
  if (way == before.exits->end()) return pool.boolean(false);
  std::vector<Term> parts = way->guard;
  if (target.valid()) {
    for (const Term literal : steps.literals(
             model.location(target), model.values(target), model.precision())) {
      parts.push_back(steps.execution().rewriter()(literal, way->values));
    }
  }
  return pool.conjunction(parts);
}

/// The Falsifier's choices before a step. Where the program starts, these are
/// its variables too.
std::vector<Term> ModelGame::inputs(ir::LocationId cut, bool is_start,
                                    Term leads) {
  const abstraction::Blocks& blocks = component_.blocks();
  std::set<Term> own;
  for (const ir::LocationId location : blocks.block(cut).order) {
    for (const ir::EdgeId edge : blocks.body().out_edges(location)) {
      if (is_input(task_.program, blocks.body().edge(edge))) {
        own.insert(component_.steps().choice(edge));
      }
    }
  }
  std::vector<Term> result;
  for (const Term variable : term::variables_of(leads)) {
    const bool is_chosen =
        own.contains(variable) ||
        (is_start && task_.program.variable_of(variable).valid());
    if (is_chosen && !variable.sort().is_array()) result.push_back(variable);
  }
  return result;
}

Steering ModelGame::steer(AbstractProgram& model, lts::State from,
                          ir::EdgeId exit, lts::State target) {
  const Before known = before(model, from);
  const Term wanted = leads(model, known, exit, target);
  const ir::LocationId cut = model.location(from);
  const std::vector<Term> own =
      inputs(cut.valid() ? cut : component_.blocks().body().entry(),
             !cut.valid(), wanted);
  std::vector<std::uint32_t> key{wanted.id()};
  for (const Term part : known.known) key.push_back(part.id());
  const auto [at, is_new] = steered_.try_emplace(std::move(key));
  if (is_new) at->second = steer(known, wanted, own);
  return at->second;
}

/// For all states there are values: the quantifier is replaced by values that
/// the solver found for some states, as in falsify/steer.cpp.
Steering ModelGame::steer(const Before& before, Term leads,
                          const std::vector<Term>& own) {
  term::Pool& pool = *task_.program.pool;
  Steering result{false, leads, {}};
  std::vector<Term> wanted = before.known;
  wanted.push_back(leads);
  std::vector<Term> missed = before.known;
  while (result.values.size() < kRounds) {
    const auto values = find_values(wanted, own);
    if (!values) return result;
    result.values.push_back(*values);
    const term::Substitution put = constants(pool, *values);
    missed.push_back(pool.negation(leads));
    for (Term& part : missed) part = term::substitute(pool, part, put);
    const Answer answer = ask(missed);
    result.is_sure = answer == Answer::Unsat;
    if (answer != Answer::Sat) return result;
    ChosenValues state;
    for (const auto& [variable, value] : solver_.model()) {
      if (variable.kind() != term::Kind::Variable || value.sort.is_array() ||
          std::ranges::find(own, variable) != own.end()) {
        continue;
      }
      state[variable] = static_cast<term::Bits>(value.number);
    }
    wanted = {term::substitute(pool, leads, constants(pool, state))};
  }
  return result;
}

std::optional<ChosenValues> ModelGame::find_values(
    const std::vector<Term>& formulas, const std::vector<Term>& own) {
  if (ask(formulas) != Answer::Sat) return std::nullopt;
  const term::Assignment model = solver_.model();
  ChosenValues result;
  for (const Term variable : own) {
    const auto found = model.find(variable);
    result[variable] = found != model.end()
                           ? static_cast<term::Bits>(found->second.number)
                           : 0;
  }
  return result;
}

Answer ModelGame::ask(const std::vector<Term>& formulas) {
  ++context_.statistics()["solver.calls"];
  return solver_.check(formulas);
}

std::optional<ModelGame::Won> ModelGame::win(AbstractProgram& model,
                                             Board& board) {
  ChosenValues start;
  if (wins_[0].move == falsify::Win::kWhatever) {
    const std::vector<Term>& constraints = component_.start().constraints;
    const Term all = task_.program.pool->conjunction(constraints);
    const auto found = find_values(
        constraints, inputs(component_.blocks().body().entry(), true, all));
    if (!found) return std::nullopt;
    start = *found;
  } else {
    start = board.steers[0][wins_[0].move].values.front();
  }
  auto execution = run_strategy(task_, component_, model, board, wins_, start,
                                sets_, context_);
  if (!execution) {
    ++context_.statistics()["falsification.unconfirmed"];
    return std::nullopt;
  }
  return Won{std::move(*execution), describe(board)};
}

std::vector<std::string> ModelGame::describe(const Board& board) {
  const ir::Cfa& body = component_.blocks().body();
  std::vector<std::string> result;
  const auto say = [&](const ir::Edge& edge, const std::string& text) {
    std::string line =
        fmt::format("{}: {}", ir::place_of(task_.program, edge), text);
    if (std::ranges::find(result, line) == result.end()) {
      result.push_back(std::move(line));
    }
  };
  for (const NodeId id : falsify::reached(board.model, wins_, {0})) {
    const falsify::Node& node = board.model.nodes[id];
    if (node.kind != falsify::NodeKind::Inner) continue;
    const ir::Edge& first = body.edge(body.out_edges(node.location).front());
    const bool ends = std::ranges::any_of(loops_, [&](const auto& loop) {
      return loop.head == node.location &&
             std::ranges::binary_search(loop.nodes, id);
    });
    if (ends) say(first, "this loop comes to an end");
    std::span<const falsify::Move> moves = node.moves;
    if (wins_[id].move != falsify::Win::kWhatever) {
      moves = moves.subspan(wins_[id].move, 1);
      if (has_inputs(node.location)) {
        say(first,
            fmt::format("choose the inputs so that {} is next",
                        ir::place_of(task_.program, body.edge(moves[0].edge))));
      }
    } else if (moves.size() > 1) {
      say(first, "whatever happens here");
    }
    for (const falsify::Move& move : moves) {
      if (!board.positions[move.target].state.valid()) {
        say(body.edge(move.edge), "the error is reached");
      }
    }
  }
  return result;
}

}  // namespace agon::verify
