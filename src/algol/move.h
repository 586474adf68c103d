// SPDX-License-Identifier: Apache-2.0
/// The moves of environment and program, and how questions about them are put.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algol/interval.h"
#include "algol/tree.h"

namespace agon::algol {

enum class MoveKind : std::uint8_t {
  Ask,     ///< `run` of a command, `q` of an expression, `read` of a variable.
  Write,   ///< `write(v)`.
  Answer,  ///< A value.
  Done,    ///< `done` of a command, `ok` of a write.
  Abort,   ///< The program gives up.
  Bounds,  ///< The program used an index that its array does not have.
};

struct Move {
  MoveKind kind = MoveKind::Ask;
  bool by_environment = false;
  std::uint32_t identifier = kNone;  ///< kNone: the term itself.
  std::uint32_t argument = 0;  ///< From 1: that argument of the identifier.
  bool has_index = false;      ///< It is about an element of an array.
  Interval index;
  Interval value;  ///< Of Write and Answer.
};

/// A play of the game: moves of environment and program in turn, except that
/// the program may be silent for ever.
using Play = std::vector<Move>;

/// The move as a label, such as `check.1.run`, `x.read` or `a[3].write(5)`.
std::string to_string(const Move& move, const Tree& tree);

/// The move as a sentence, such as `check runs its argument 1`.
std::string describe(const Move& move, const Tree& tree);

/// What moves a question is about.
struct Pattern {
  std::string text;
  bool any_question = false;  ///< Matches Ask and Write.
  bool any_answer = false;    ///< Matches Answer and Done.
  MoveKind kind = MoveKind::Ask;
  std::uint32_t identifier = kNone;
  std::uint32_t argument = 0;
  Interval index = kEverything;
  Interval value = kEverything;

  enum class Match : std::uint8_t { No, Maybe, Yes };
  Match match(const Move& move) const;
};

/// Reads a pattern: a label as above, of which the end may be missing. Throws
/// InputError if no move of the term is like that.
Pattern parse_pattern(std::string_view text, const Tree& tree);

}  // namespace agon::algol
