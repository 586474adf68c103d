// SPDX-License-Identifier: Apache-2.0
#include "game/simulation_game.h"

#include <tsl/robin_set.h>

#include <algorithm>
#include <utility>

#include "game/winning_region.h"
#include "support/error.h"

// The variable of a position (p, q) says "the challenger wins from here". For
// each challenge p -a-> p' there is one Horn clause,
//
//   wins(p, q)  <-  wins(p', q1) & … & wins(p', qk)
//
// over all responses q -a-> qi. The least model is SIM's set W of winning
// positions (Fig. 3). The lazy solver reads a body only as far as it is true,
// so a position is made only if it is the first response to some challenge
// that is not yet known to lose, and a play in which the specification always
// has a good answer at hand touches little more than the implementation.
//
// The weak game. A challenge `a` may be answered by `tau* a tau*`. The silent
// steps at the end are never needed: if q reaches q' silently, then q can
// answer all that q' can, so a responder that stops early loses nothing. For
// the same reason the best answer to a silent challenge is to stay. So the
// weak game is the strong one on rows of `tau* a`, and a silent challenge is a
// clause with the single response (p', q).

namespace agon::game {

using horn::Clause;
using horn::Variable;
using lts::State;
using lts::Transition;
using support::Verdict;

namespace {

/// In `end_response`: the one response is to stay in state `next_response`.
constexpr std::uint32_t kStay = 0xffff'ffff;

constexpr std::size_t kOldestOneIn = 32;

/// How many responses are looked at in search of a familiar one.
constexpr std::uint32_t kFamiliarLookedFor = 16;

/// What the search for further strategies may cost, for each response and in
/// all.
constexpr std::size_t kEffortPerAlternative = 10'000;
constexpr std::size_t kEffortForAlternatives = 500'000;

}  // namespace

SimulationGame::SimulationGame(lts::Successors& impl, lts::Successors& spec,
                               Semantics semantics, support::Context& context,
                               const Tuning& tuning)
    : impl_system_(impl),
      spec_system_(spec),
      semantics_(semantics),
      context_(context),
      tuning_(tuning),
      may_use_coarse_(impl.as_explicit() != nullptr),
      impl_(impl, Semantics::Strong, context),
      spec_(spec, semantics, context) {}

SimulationGame::~SimulationGame() = default;

Verdict SimulationGame::decide(Position position, std::size_t budget) {
  if (budget == 0) return known(position);
  const Variable root = find_or_add(position);
  if (status_[root.index()] == Status::Idle) wake(root);
  const auto next = [this](Clause clause) { return next_response(clause); };
  const std::size_t before = effort();
  for (;;) {
    solver_.propagate(next);
    if (context_.exhausted()) return Verdict::Unknown;  // Rows may lack moves.
    if (solver_.is_true(root)) return Verdict::Violated;
    if (queue_.empty()) return Verdict::Holds;
    if (effort() - before >= budget) return Verdict::Unknown;
    const Variable variable = take_from_queue();
    // Nobody asks any more: whoever did has lost in another way by now.
    if (variable != root && !solver_.is_awaited(variable)) {
      status_[variable.index()] = Status::Idle;
      continue;
    }
    expand(variable);
  }
}

/// Going deep finds out soon whether a doubtful response was wise, and keeps
/// the game small; but a loss near the root must not wait for that, so every
/// few positions the oldest one gets its turn.
Variable SimulationGame::take_from_queue() {
  Variable variable;
  if (num_expanded_ % kOldestOneIn == 0) {
    variable = queue_.front();
    queue_.pop_front();
  } else {
    variable = queue_.back();
    queue_.pop_back();
  }
  return variable;
}

Verdict SimulationGame::known(Position position) {
  if (context_.exhausted()) return Verdict::Unknown;
  if (is_lost(position)) return Verdict::Violated;
  const Variable variable = find(position);
  const bool is_settled = queue_.empty() && variable.valid() &&
                          status_[variable.index()] == Status::Expanded;
  return is_settled ? Verdict::Holds : Verdict::Unknown;
}

bool SimulationGame::is_lost(Position position) {
  if (refuses(position)) return true;
  const Variable variable = find(position);
  return variable.valid() && solver_.is_true(variable);
}

Variable SimulationGame::find(Position position) const {
  const auto known = index_.find(
      support::pair_key(position.impl.value(), position.spec.value()));
  return known == index_.end() ? Variable() : known->second;
}

Variable SimulationGame::find_or_add(Position position) {
  const auto [entry, is_new] = index_.try_emplace(
      support::pair_key(position.impl.value(), position.spec.value()),
      Variable::at(positions_.size()));
  if (is_new) {
    solver_.add_variable();
    positions_.push_back(position);
    status_.push_back(Status::Idle);
  }
  return entry->second;
}

void SimulationGame::wake(Variable variable) {
  status_[variable.index()] = Status::Queued;
  queue_.push_back(variable);
}

bool SimulationGame::lacks_label(Position position) {
  std::uint64_t offered = impl_.mask(position.impl);
  if (semantics_ == Semantics::Weak) {
    // Bit 0 is shared with labels 64, 128, …, which tau must not speak for.
    offered &= ~std::uint64_t{1};
  }
  return (offered & ~spec_.mask(position.spec)) != 0;
}

/// Whether a position is lost so plainly that it needs no variable: the
/// implementation has a short trace that the specification lacks.
bool SimulationGame::refuses(Position position) {
  if (impl_masks_ != nullptr) return missing_trace(position) != 0;
  return lacks_label(position);
}

unsigned SimulationGame::missing_trace(Position position) const {
  return game::missing_trace(impl_masks_->of(position.impl),
                             spec_masks_->of(position.spec));
}

/// Once the game is not trivial, short traces are worth knowing.
void SimulationGame::look_ahead() {
  const lts::Lts* const impl = impl_system_.as_explicit();
  const lts::Lts* const spec = spec_system_.as_explicit();
  if (impl == nullptr || spec == nullptr) return;
  impl_masks_ = std::make_unique<TraceMasks>(*impl, semantics_);
  spec_masks_ = std::make_unique<TraceMasks>(*spec, semantics_);
}

/// Once the game has outgrown the systems, asks the coarse game whether the
/// specification wins here anyway. Such a position needs no clauses.
bool SimulationGame::is_accepted(Position position) {
  if (!may_use_coarse_) return false;
  if (coarse_ == nullptr) {
    const lts::Lts& impl = *impl_system_.as_explicit();
    if (num_expanded_ / impl.num_states() < tuning_.coarse_after) return false;
    coarse_ =
        std::make_unique<CoarseGame>(impl, spec_system_, semantics_, context_);
  }
  may_use_coarse_ = coarse_->is_useful();
  return may_use_coarse_ && coarse_->accepts(position);
}

void SimulationGame::expand(Variable variable) {
  if (num_expanded_++ == tuning_.look_ahead_after) look_ahead();
  status_[variable.index()] = Status::Expanded;
  if (solver_.is_true(variable)) return;
  if (is_accepted(positions_[variable.index()])) return;
  if (loses_at_once(variable)) return;
  const Position position = positions_[variable.index()];
  const MoveTable::Range answers = spec_.row(position.spec);
  const MoveTable::Range row = impl_.row(position.impl);
  for (std::uint32_t i = row.begin; i < row.end; ++i) {
    const Transition move = impl_.move(i);
    if (i > row.begin && impl_.move(i - 1) == move) continue;
    const bool is_silent =
        semantics_ == Semantics::Weak && move.label == lts::kTau;
    if (is_silent && move.target == position.impl) continue;
    const Clause clause =
        add_challenge(variable, move,
                      is_silent ? MoveTable::Range{position.spec.value(), kStay}
                                : spec_.on(answers, move.label));
    Variable familiar = familiar_response(challenges_[clause.index()]);
    solver_.start(clause, [&](Clause c) {
      return familiar.valid() ? std::exchange(familiar, Variable())
                              : next_response(c);
    });
    if (solver_.is_true(variable)) return;
  }
}

/// Looks for a challenge that has no response at all before making any
/// position for the others.
bool SimulationGame::loses_at_once(Variable variable) {
  const Position position = positions_[variable.index()];
  const MoveTable::Range answers = spec_.row(position.spec);
  const MoveTable::Range row = impl_.row(position.impl);
  for (std::uint32_t i = row.begin; i < row.end; ++i) {
    const Transition move = impl_.move(i);
    if (semantics_ == Semantics::Weak && move.label == lts::kTau) continue;
    const MoveTable::Range responses = spec_.on(answers, move.label);
    if (all_lost(move.target, responses)) {
      const Clause clause = add_challenge(variable, move, responses);
      solver_.start(clause, [this](Clause c) { return next_response(c); });
      return true;
    }
  }
  return false;
}

bool SimulationGame::all_lost(State impl, MoveTable::Range responses) {
  // By index: looking at a response may make rows and move the others.
  for (std::uint32_t i = responses.begin; i < responses.end; ++i) {
    if (!is_lost({impl, spec_.move(i).target})) return false;
  }
  return true;
}

Clause SimulationGame::add_challenge(Variable head, Transition move,
                                     MoveTable::Range responses) {
  challenges_.push_back({move, responses.begin, responses.end});
  return solver_.add_clause(head);
}

/// A response into a position that is known and not lost: taking it makes no
/// new position. Preferring these keeps the game small.
Variable SimulationGame::familiar_response(const Challenge& challenge) {
  if (challenge.end_response == kStay) return {};
  const MoveTable::Range responses{
      challenge.next_response,
      std::min(challenge.end_response,
               challenge.next_response + kFamiliarLookedFor)};
  for (const Transition& response : spec_.moves(responses)) {
    const Variable variable = find({challenge.move.target, response.target});
    if (variable.valid() && !solver_.is_true(variable) &&
        status_[variable.index()] != Status::Idle) {
      return variable;
    }
  }
  return {};
}

Variable SimulationGame::next_response(Clause clause) {
  Challenge& challenge = challenges_[clause.index()];
  const auto wait_for = [this](Position position) {
    const Variable variable = find_or_add(position);
    if (status_[variable.index()] == Status::Idle) wake(variable);
    return variable;
  };
  if (challenge.end_response == kStay) {
    const State stay(challenge.next_response);
    challenge.next_response = challenge.end_response = 0;
    return wait_for({challenge.move.target, stay});
  }
  while (challenge.next_response < challenge.end_response) {
    const State target = spec_.move(challenge.next_response++).target;
    const Position position{challenge.move.target, target};
    if (!refuses(position)) return wait_for(position);
    solver_.note_true_literal(clause, TraceMasks::kDepth);  // At most.
  }
  return {};
}

std::vector<Strategy> SimulationGame::strategies(Position position,
                                                 std::size_t count) {
  // What the game did not look at is not worth it: expanding may be expensive.
  const GameKnowledge knowledge{
      [this](Position p) { return impl_.has_row(p.impl) && is_lost(p); },
      [this](Position p) { return winning_challenge(p); }};
  const auto read_off = [&] {
    return WinningRegion(impl_, spec_, semantics_, position, knowledge,
                         tuning_.max_alternatives)
        .strategies(count);
  };
  std::vector<Strategy> found = read_off();
  if (context_.exhausted()) return {};  // Rows may have been cut.
  if (found.size() < count) {
    explore_alternatives(found.front());
    if (!context_.exhausted()) found = read_off();
  }
  return found;
}

Transition SimulationGame::winning_challenge(Position position) {
  // A refused position speaks for itself. Its reason might not: it may rest on
  // a position that is refused in turn and that a trace leads back from.
  if (!refuses(position)) {
    return challenges_[solver_.reason(find(position)).index()].move;
  }
  if (const auto challenge = unanswered_challenge(position)) return *challenge;
  return trace_challenge(position);
}

std::optional<Transition> SimulationGame::unanswered_challenge(
    Position position) {
  const MoveTable::Range row = impl_.row(position.impl);
  const MoveTable::Range answers = spec_.row(position.spec);
  for (const Transition& move : impl_.moves(row)) {
    if (semantics_ == Semantics::Weak && move.label == lts::kTau) continue;
    if (spec_.on(answers, move.label).empty()) return move;
  }
  return std::nullopt;
}

/// The first step towards a short trace that the specification lacks. Either it
/// shortens what is missing, or, in a weak game, it is a silent step towards a
/// move that does; so following these challenges comes to an end.
Transition SimulationGame::trace_challenge(Position position) {
  const unsigned depth = missing_trace(position);
  AGON_ASSERT(depth > 0);
  struct Step {
    State state;
    Transition first;  // The step from the position that led here.
  };
  std::vector<Step> steps{{position.impl, {}}};
  tsl::robin_set<std::uint32_t> seen{position.impl.value()};
  for (std::size_t head = 0; head < steps.size(); ++head) {
    const Step here = steps[head];
    const MoveTable::Range row = impl_.row(here.state);
    for (const Transition& move : impl_.moves(row)) {
      const Transition first = head == 0 ? move : here.first;
      if (semantics_ == Semantics::Weak && move.label == lts::kTau) {
        if (seen.insert(move.target.value()).second) {
          steps.push_back({move.target, first});
        }
      } else if (leads_to_missing_trace(position, move, depth)) {
        return first;
      }
    }
  }
  AGON_ASSERT(!"a missing trace starts with a move");
  return {};
}

bool SimulationGame::leads_to_missing_trace(Position position, Transition move,
                                            unsigned depth) {
  const std::uint64_t known = spec_masks_->of(position.spec)[depth - 1];
  return (impl_masks_->after(move, depth) & ~known) != 0;
}

/// The game stops at the first win. To find others, this asks of every other
/// challenge along a strategy whether it would have won too.
void SimulationGame::explore_alternatives(const Strategy& strategy) {
  const std::size_t most = effort() + kEffortForAlternatives;
  for (const Strategy::Node& node : strategy.nodes) {
    const MoveTable::Range row = impl_.row(node.position.impl);
    for (std::uint32_t i = row.begin; i < row.end; ++i) {
      if (effort() >= most || context_.exhausted()) return;
      explore_challenge(node.position, impl_.move(i), most);
    }
  }
}

/// Decides the responses to a challenge until one of them saves the responder.
void SimulationGame::explore_challenge(Position position, Transition move,
                                       std::size_t most) {
  const auto is_won = [&](Position answer) {
    if (is_lost(answer)) return true;
    const std::size_t left = most - std::min(most, effort());
    return decide(answer, std::min(left, kEffortPerAlternative)) ==
           Verdict::Violated;
  };
  if (semantics_ == Semantics::Weak && move.label == lts::kTau) {
    is_won({move.target, position.spec});
    return;
  }
  const MoveTable::Range responses =
      spec_.on(spec_.row(position.spec), move.label);
  for (std::uint32_t k = responses.begin; k < responses.end; ++k) {
    if (!is_won({move.target, spec_.move(k).target})) return;
  }
}

}  // namespace agon::game
