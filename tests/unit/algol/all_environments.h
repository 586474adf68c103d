// SPDX-License-Identifier: Apache-2.0
/// An environment that makes, in play after play, all choices that it has.
#pragma once

#include <optional>
#include <vector>

#include "algol/interpreter.h"
#include "algol/move.h"

namespace agon::test {

class AllEnvironments final : public algol::Environment {
 public:
  explicit AllEnvironments(std::size_t max_moves) : max_moves_(max_moves) {}

  /// Prepares the next play. False if all have been played.
  bool next() {
    play_.clear();
    at_ = 0;
    if (is_first_) {
      is_first_ = false;
      return true;
    }
    while (!choices_.empty() &&
           choices_.back().taken + 1 == choices_.back().count) {
      choices_.pop_back();
    }
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

  void see(const algol::Move& move) override { play_.push_back(move); }

  std::optional<algol::Move> move(const algol::Turn& turn) override {
    if (at_ == max_moves_) {
      was_bounded_ = true;
      return std::nullopt;
    }
    const std::vector<algol::Move> moves = all_moves(turn);
    if (at_ == choices_.size()) choices_.push_back({0, moves.size()});
    play_.push_back(moves[choices_[at_++].taken]);
    return play_.back();
  }

  const algol::Play& play() const { return play_; }
  /// Whether some play was cut short.
  bool was_bounded() const { return was_bounded_; }

 private:
  struct Choice {
    std::size_t taken = 0;
    std::size_t count = 0;
  };

  static void add(std::vector<algol::Move>& moves, algol::Move move,
                  const algol::BaseType& type, algol::MoveKind with_value) {
    move.kind = with_value;
    for (std::int64_t i = type.data.range.low; i <= type.data.range.high; ++i) {
      move.value = algol::Interval::single(i);
      moves.push_back(move);
    }
  }

  static std::vector<algol::Move> all_moves(const algol::Turn& turn) {
    using algol::MoveKind;
    std::vector<algol::Move> moves;
    algol::Move move;
    move.by_environment = true;
    move.identifier = turn.identifier;
    move.has_index = turn.has_index;
    move.index = algol::Interval::single(turn.index);
    const bool is_start = turn.identifier == algol::kNone;
    const algol::BaseType& result = turn.type.result;
    if (is_start) {
      moves.push_back(move);
      if (result.sort == algol::Sort::Variable) {
        add(moves, move, result, MoveKind::Write);
      }
      return moves;
    }
    if (result.has_data() && !turn.is_write) {
      add(moves, move, result, MoveKind::Answer);
    } else {
      move.kind = MoveKind::Done;
      moves.push_back(move);
    }
    for (const algol::BaseType& parameter : turn.type.parameters) {
      ++move.argument;
      move.kind = MoveKind::Ask;
      moves.push_back(move);
      if (parameter.sort != algol::Sort::Variable) continue;
      add(moves, move, parameter, MoveKind::Write);
    }
    return moves;
  }

  std::size_t max_moves_;
  std::vector<Choice> choices_;
  std::size_t at_ = 0;
  bool is_first_ = true;
  bool was_bounded_ = false;
  algol::Play play_;
};

}  // namespace agon::test
