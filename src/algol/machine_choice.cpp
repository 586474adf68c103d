// SPDX-License-Identifier: Apache-2.0
// The choices: of the environment, and of the approximation.
#include <algorithm>
#include <limits>

#include "algol/machine.h"
#include "support/error.h"

namespace agon::algol {
namespace {

using Kind = OptionGroup::Kind;

/// How an interval is stored behind a word that says which one it is.
enum class Form : std::uint32_t { SmallSingle, Single, SmallPair, Pair };
constexpr std::uint32_t kFormBits = 2;

constexpr bool is_small(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

void put_number(std::vector<StateWord>& state, std::int64_t value, bool small) {
  const auto bits = static_cast<std::uint64_t>(value);
  state.push_back({static_cast<std::uint32_t>(bits)});
  if (!small) state.push_back({static_cast<std::uint32_t>(bits >> 32)});
}

/// Zero is not stored.
void put(std::vector<StateWord>& state, std::size_t tag, Interval interval) {
  if (interval == Interval{}) return;
  const bool small = is_small(interval.low) && is_small(interval.high);
  const Form form = interval.is_single()
                        ? (small ? Form::SmallSingle : Form::Single)
                        : (small ? Form::SmallPair : Form::Pair);
  state.push_back({static_cast<std::uint32_t>(tag << kFormBits) |
                   static_cast<std::uint32_t>(form)});
  put_number(state, interval.low, small);
  if (!interval.is_single()) put_number(state, interval.high, small);
}

std::int64_t take_number(std::span<const StateWord> state, std::size_t& at,
                         bool small) {
  const std::uint32_t low = state[at++].word;
  if (small) return static_cast<std::int32_t>(low);
  const std::uint64_t high = state[at++].word;
  return static_cast<std::int64_t>(high << 32 | low);
}

Interval take(std::span<const StateWord> state, std::size_t& at, Form form) {
  const bool small = form == Form::SmallSingle || form == Form::SmallPair;
  Interval interval;
  interval.low = take_number(state, at, small);
  interval.high = interval.low;
  if (form == Form::SmallPair || form == Form::Pair) {
    interval.high = take_number(state, at, small);
  }
  return interval;
}

}  // namespace

void Machine::save(std::vector<StateWord>& state) const {
  state.clear();
  state.push_back({token_.node});
  state.push_back({static_cast<std::uint32_t>(token_.stage)});
  put(state, 0, token_.value.interval);
  put(state, 1, token_.index.interval);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    put(state, i + 2, slots_[i].interval);
  }
  for (std::size_t i = 0; i < words_.size(); ++i) {
    put(state, i + 2 + slots_.size(),
        Interval::single(static_cast<std::int32_t>(words_[i])));
  }
}

void Machine::load(std::span<const StateWord> state) {
  AGON_ASSERT(origins_ == nullptr);
  token_ = {};
  slots_.assign(slots_.size(), {});
  words_.assign(words_.size(), 0);
  token_.node = state[0].word;
  token_.stage = static_cast<Stage>(state[1].word);
  for (std::size_t at = 2; at < state.size();) {
    const std::uint32_t header = state[at++].word;
    const std::size_t tag = header >> kFormBits;
    const auto form = static_cast<Form>(header & ((1U << kFormBits) - 1));
    const Interval interval = take(state, at, form);
    if (tag == 0) {
      token_.value.interval = interval;
    } else if (tag == 1) {
      token_.index.interval = interval;
    } else if (tag - 2 < slots_.size()) {
      slots_[tag - 2].interval = interval;
    } else {
      words_[tag - 2 - slots_.size()] =
          static_cast<std::uint32_t>(interval.low);
    }
  }
  status_ = Status::Choice;
  list_options();
}

void Machine::offer(Stage stage) {
  if (status_ == Status::Hit) return;
  token_.stage = stage;
  token_.is_write = false;
  token_.port = 0;
  status_ = Status::Choice;
  had_looked_ = has_looked_;
  list_options();
}

void Machine::list_options() {
  options_.clear();
  if (token_.stage == Stage::Environment) {
    list_environment_options();
  } else {
    options_.push_back({Kind::Guess, 0, count_guesses()});
  }
}

void Machine::list_environment_options() {
  const Node& at = node();
  if (at.kind == NodeKind::Root) {
    options_.push_back({Kind::AskTerm, 0, 1});
    if (tree_.type.sort == Sort::Variable) {
      options_.push_back({Kind::WriteTerm, 0, partition(at.site).num_parts()});
    }
    return;
  }
  const Identifier& identifier = tree_.identifiers[at.target];
  for (std::uint32_t i = 0; i < identifier.parameter_sites.size(); ++i) {
    options_.push_back({Kind::AskArgument, i, 1});
    const std::uint32_t site = identifier.parameter_sites[i];
    if (site == kNone) continue;
    options_.push_back({Kind::WriteArgument, i, partition(site).num_parts()});
  }
  const bool gives_value = identifier.site != kNone && words_[at.memory] == 0;
  options_.push_back(
      {Kind::Return, 0,
       gives_value ? partition(identifier.site).num_parts() : 1});
}

std::uint64_t Machine::count_guesses() const {
  const Node& at = node();
  const auto meeting = [&](std::uint32_t site, Interval interval) {
    return partition(site).part_of(interval.high) -
           partition(site).part_of(interval.low) + 1;
  };
  switch (token_.stage) {
    case Stage::Store:
    case Stage::ElementPart:
      return meeting(at.site, token_.value.interval);
    case Stage::IndexPart:
      return meeting(at.index_site, token_.index.interval);
    case Stage::WritePart:
      return meeting(at.site, slots_[at.slot].interval);
    default:
      return 2;
  }
}

void Machine::choose(const OptionGroup& group, std::uint64_t number) {
  status_ = Status::Running;
  marked_node_ = kNone;
  mark_distance_ = 1;
  since_mark_ = 0;
  const Node& at = node();
  Move move = move_of(MoveKind::Ask, true);
  Value value;
  const bool writes =
      group.kind == Kind::WriteTerm || group.kind == Kind::WriteArgument;
  switch (group.kind) {
    case Kind::Guess:
      return choose_guess(number);
    case Kind::Return:
      return environment_returns(number);
    case Kind::AskArgument:
    case Kind::WriteArgument:
      move.argument = group.argument + 1;
      if (!writes) break;
      words_[at.memory] |= kWritesArgument;
      value = part_value(
          tree_.identifiers[at.target].parameter_sites[group.argument], number,
          {});
      break;
    case Kind::AskTerm:
    case Kind::WriteTerm:
      if (!writes) break;
      words_[at.memory] = 1;
      value = part_value(at.site, number, {});
      break;
  }
  move.kind = writes ? MoveKind::Write : MoveKind::Ask;
  move.value = value.interval;
  emit(move);
  ask(tree_.child(at, group.argument), writes, value);
}

void Machine::environment_returns(std::uint64_t number) {
  const Node& at = node();
  const Identifier& identifier = tree_.identifiers[at.target];
  const bool gives_value = identifier.site != kNone && words_[at.memory] == 0;
  Move move = move_of(gives_value ? MoveKind::Answer : MoveKind::Done, true);
  Value value;
  if (gives_value) value = part_value(identifier.site, number, {});
  move.value = value.interval;
  words_[at.memory] = 0;
  emit(move);
  reply(value);
}

void Machine::choose_guess(std::uint64_t number) {
  const Node& at = node();
  const auto narrow = [&](std::uint32_t site, Value& value) {
    const std::uint64_t first = partition(site).part_of(value.interval.low);
    value.interval = meet(value.interval, partition(site).part(first + number));
    return first + number;
  };
  switch (token_.stage) {
    case Stage::Divisor: {
      if (number == 0) {
        status_ = Status::Ended;
        return emit(move_of(MoveKind::Abort, false));
      }
      return finish_binary(
          apply(at.op, slots_[at.slot].interval, token_.value.interval));
    }
    case Stage::Truth:
      return finish_binary(Interval::single(static_cast<std::int64_t>(number)));
    case Stage::Store:
      narrow(at.site, token_.value);
      return finish_store();
    case Stage::Bounds: {
      if (number == 1) {
        status_ = Status::Ended;
        return emit(move_of(MoveKind::Bounds, false));
      }
      const std::int64_t length =
          at.kind == NodeKind::Element
              ? tree_.sites[at.index_site].data.range.high + 1
              : tree_.identifiers[at.target].type.result.length;
      token_.index.interval = meet(token_.index.interval, {0, length - 1});
      return access_within_bounds();
    }
    case Stage::IndexPart:
      narrow(at.index_site, token_.index);
      return access_within_bounds();
    case Stage::ElementPart:
      return finish_read(narrow(at.site, token_.value));
    case Stage::WritePart: {
      const std::uint64_t part = narrow(at.site, slots_[at.slot]);
      return finish_write(
          partition(at.index_site).part_of(token_.index.interval.low), part);
    }
    default:
      AGON_ASSERT(!"there is nothing to guess");
  }
}

Move Machine::move_of(MoveKind kind, bool by_environment) const {
  const Node& at = node();
  Move move;
  move.kind = kind;
  move.by_environment = by_environment;
  move.value = token_.value.interval;
  const bool is_free =
      at.kind == NodeKind::Free || at.kind == NodeKind::FreeElement;
  if (is_free && kind != MoveKind::Bounds) move.identifier = at.target;
  if (at.kind == NodeKind::FreeElement) {
    move.has_index = true;
    move.index = token_.index.interval;
  }
  return move;
}

void Machine::emit_answer_of(Sort sort, bool was_write, Move move) {
  if (sort == Sort::Command || was_write) move.kind = MoveKind::Done;
  emit(move);
}

void Machine::emit(Move move) {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const Pattern::Match match = patterns_[i].match(move);
    if (match == Pattern::Match::No) continue;
    if (move.by_environment &&
        (move.kind == MoveKind::Answer || move.kind == MoveKind::Write)) {
      move.value = meet(move.value, patterns_[i].value);
    }
    status_ = Status::Hit;
    hit_pattern_ = i;
    hit_is_certain_ = match == Pattern::Match::Yes;
    hit_value_ = token_.value;
    hit_index_ = token_.index;
    break;
  }
  if (play_ != nullptr) play_->push_back(move);
}

}  // namespace agon::algol
