// SPDX-License-Identifier: Apache-2.0
/// The games that recorded violations won, to be played again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lts/lts.h"
#include "report/report.h"

namespace agon::report {

/// A game that the implementation wins against a specification. If no tree was
/// recorded, the challenges are the actions of the counterexample, and the
/// responses are those of the specification, or else unnamed.
class Game {
 public:
  struct Position {
    std::uint32_t node = 0;     ///< Of the tree, or of the specification.
    std::uint32_t actions = 0;  ///< How many were performed.
  };
  struct Response {
    std::string state;  ///< Empty: not known.
    Position after;
  };
  /// What the implementation does, and what can be answered.
  struct Turn {
    std::string state;  ///< Of the specification; empty: not known.
    std::string challenge;
    std::string place;  ///< Where in the source; empty: not known.
    std::vector<Response> responses;
    std::vector<std::string> allowed;  ///< If there is no response.
  };

  /// Nodes refer to later or earlier ones, but never to themselves in the end.
  explicit Game(StrategyTree tree) : tree_(std::move(tree)) {}
  Game(std::vector<std::string> actions, lts::Lts spec)
      : actions_(std::move(actions)), spec_(std::move(spec)) {}
  Game(std::vector<std::string> actions, std::vector<std::string> allowed)
      : actions_(std::move(actions)), allowed_(std::move(allowed)) {}

  /// What states that are numbers are called; by state, empty if they are not.
  void set_names(std::vector<std::string> names) { names_ = std::move(names); }

  /// Where the program performs its actions, if there is but one way to play:
  /// otherwise they are those of one branch only.
  void set_places(std::vector<std::string> places);

  Position start() const;
  Turn turn(const Position& at) const;

 private:
  std::string named(std::string state) const;
  std::string place_of(std::size_t action) const {
    return action < places_.size() ? places_[action] : "";
  }

  std::optional<StrategyTree> tree_;
  std::vector<std::string> actions_;
  std::optional<lts::Lts> spec_;
  std::vector<std::string> allowed_;
  std::vector<std::string> names_;
  std::vector<std::string> places_;
};

/// One result of a file.
struct RecordedResult {
  std::string target;
  std::string spec;
  std::string verdict;
  std::optional<Game> game;  ///< None if there is nothing to play.
};

/// Reads what `--json` wrote. Throws InputError, naming `file`, if it is
/// anything else.
std::vector<RecordedResult> read_results(const std::string& file,
                                         std::string_view json);

}  // namespace agon::report
