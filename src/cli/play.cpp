// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "report/game.h"
#include "support/error.h"
#include "support/source.h"
#include "support/utf8.h"

namespace agon::cli {
namespace {

using report::Game;
using support::InputError;

/// Writes at once, so that a player can see it. Names come from a file, and
/// must not be able to command a terminal.
void say(const std::string& text) {
  const std::string shown = support::printable(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
}

std::string to_state(const std::string& state) {
  return state.empty() ? "" : fmt::format(" to state {}", state);
}

/// One game between the recorded strategy and whoever writes to stdin.
class Player {
 public:
  explicit Player(const Game& game) : game_(game), at_(game.start()) {}

  void play() {
    for (;;) {
      const Game::Turn turn = game_.turn(at_);
      if (turn.responses.size() == 1) {
        take_only(turn);
        continue;
      }
      announce(turn);
      if (turn.responses.empty()) {
        lose(turn);
        if (!wants_back()) return;
      } else if (!choose(turn)) {
        return;
      }
    }
  }

 private:
  void announce(const Game::Turn& turn) const {
    say(fmt::format(
        "{}The program does {}{}.\n",
        turn.state.empty() ? ""
                           : fmt::format("You are in state {}. ", turn.state),
        turn.challenge,
        turn.place.empty() ? "" : fmt::format(" ({})", turn.place)));
  }

  /// Where there is nothing to choose. Silent steps need no answer.
  void take_only(const Game::Turn& turn) {
    if (turn.challenge != "tau") {
      announce(turn);
      say(fmt::format("  Your only response: {}{}\n", turn.challenge,
                      to_state(turn.responses[0].state)));
    }
    at_ = turn.responses[0].after;
  }

  void lose(const Game::Turn& turn) const {
    say(fmt::format(
        "You are stuck: {}{}.\n{}",
        turn.state.empty() ? "" : fmt::format("in state {} ", turn.state),
        turn.allowed.empty() ? "nothing is allowed"
                             : fmt::format("only {} is allowed",
                                           fmt::join(turn.allowed, " or ")),
        choices_.empty() ? "You never had a choice.\n" : ""));
  }

  /// After a loss: whether an earlier choice is to be tried again.
  bool wants_back() {
    if (choices_.empty()) return false;
    say("b takes back your last choice, anything else ends: ");
    const auto line = read();
    if (!line) say("\n");
    if (!line || *line != "b") return false;
    take_back();
    return true;
  }

  void take_back() {
    at_ = choices_.back();
    choices_.pop_back();
  }

  /// False if the player leaves.
  bool choose(const Game::Turn& turn) {
    for (std::size_t i = 0; i < turn.responses.size(); ++i) {
      say(fmt::format("  {}  {}{}\n", i + 1, turn.challenge,
                      to_state(turn.responses[i].state)));
    }
    for (;;) {
      say(fmt::format("Your response, 1 to {}{}: ", turn.responses.size(),
                      choices_.empty() ? "" : ", or b to take back"));
      const auto line = read();
      if (!line) say("\n");
      if (!line || *line == "q") {
        say("You leave the game. The program would have won.\n");
        return false;
      }
      if (*line == "b" && !choices_.empty()) {
        take_back();
        return true;
      }
      if (const auto number = number_of(*line, turn.responses.size())) {
        choices_.push_back(at_);
        at_ = turn.responses[*number - 1].after;
        return true;
      }
      say(fmt::format("There is no such response. {}q ends the game.\n",
                      *line == "b" ? "There is no choice to take back. " : ""));
    }
  }

  static std::optional<std::size_t> number_of(const std::string& text,
                                              std::size_t most) {
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || at != end || number < 1 || number > most) {
      return std::nullopt;
    }
    return number;
  }

  /// A line without the space around it.
  static std::optional<std::string> read() {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) return "";
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
  }

  const Game& game_;
  Game::Position at_;
  std::vector<Game::Position> choices_;  // Positions where there was one.
};

const report::RecordedResult& find(
    const std::vector<report::RecordedResult>& results,
    const PlayOptions& options) {
  for (const report::RecordedResult& result : results) {
    const bool is_meant =
        options.target.empty() || result.target == options.target;
    if (is_meant && result.game) return result;
  }
  throw InputError(fmt::format(
      "'{}' has no violation{} that can be played", options.file,
      options.target.empty() ? "" : fmt::format(" of '{}'", options.target)));
}

}  // namespace

ExitCode run_play(const PlayOptions& options, Session&) {
  const support::Source source = support::Source::open(options.file);
  const auto results = report::read_results(options.file, source.text());
  const report::RecordedResult& result = find(results, options);
  say(fmt::format(
      "{}{}{}: you are the specification, and the program plays to win.\n"
      "Answer with the number of a response; q ends the game.\n\n",
      result.target, result.spec.empty() ? "" : ": ", result.spec));
  Player(*result.game).play();
  return ExitCode::Holds;
}

}  // namespace agon::cli
