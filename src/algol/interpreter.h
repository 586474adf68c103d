// SPDX-License-Identifier: Apache-2.0
/// Runs terms by the definition of the language, against an environment.
///
/// The yardstick of everything else: it knows nothing of automata, states or
/// approximation, only the syntax tree and values.
#pragma once

#include <cstdint>
#include <optional>

#include "algol/ast.h"
#include "algol/move.h"

namespace agon::algol {

/// Where the environment has to move: it starts the term, or it was called.
struct Turn {
  std::uint32_t identifier = kNone;  ///< Who was called; kNone: the start.
  Type type;                         ///< Of the identifier, or of the term.
  bool is_write = false;             ///< The call was an assignment to it.
  bool has_index = false;
  std::int64_t index = 0;
};

class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  virtual ~Environment() = default;

  /// The program has moved.
  virtual void see(const Move& move) = 0;

  /// The environment's move; nothing ends the play.
  virtual std::optional<Move> move(const Turn& turn) = 0;

  /// Whether it has seen enough.
  virtual bool is_content() const { return false; }
};

enum class Ending : std::uint8_t {
  Answered,    ///< The term has answered.
  Aborted,     ///< It gave up, or used an index outside of an array.
  Left,        ///< The environment ended the play.
  OutOfSteps,  ///< It ran for too long without a move.
};

/// Plays the term. `max_steps` is how many terms may be evaluated.
Ending interpret(const Judgement& judgement, Environment& environment,
                 std::uint64_t max_steps);

/// Whether the term can play this: the environment takes its moves from the
/// play, with the least value where there are several, and the program's moves
/// have to be as they are there. Returns the play with the values that it
/// really had, or nothing.
std::optional<Play> replay(const Judgement& judgement, const Play& play);

}  // namespace agon::algol
