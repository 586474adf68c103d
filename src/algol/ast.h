// SPDX-License-Identifier: Apache-2.0
/// Open terms as they are written, with their types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algol/type.h"

namespace agon::algol {

enum class TermKind : std::uint8_t {
  Skip,
  Abort,
  Constant,    // `value`.
  Identifier,  // `name`.
  Index,       // An array `name`, and the index.
  Unary,
  Binary,
  Sequence,  // Two or more; all but the last are commands.
  If,        // Condition, then, else.
  While,     // Condition, body.
  Assign,    // Target, value.
  Assert,    // Condition, and the command that follows a failure.
  NewCell,   // Initial value, body. `name`, `declared`.
  NewArray,  // Body. `name`, `declared`.
  Let,       // What `name` stands for, body.
  Lambda,    // Body. `name`, `declared`.
  Apply,     // Function, one argument or more.
};

struct Term {
  TermKind kind = TermKind::Skip;
  Operator op = Operator::Add;
  int depth = 1;           // Of the tree.
  std::size_t offset = 0;  // In the source.
  std::int64_t value = 0;
  std::string name;
  BaseType declared;
  std::vector<std::unique_ptr<Term>> children;
  Type type;  // Known once the term has been checked.
};

using TermPointer = std::unique_ptr<Term>;

/// An identifier that the environment stands for.
struct Declaration {
  std::string name;
  std::size_t offset = 0;
  Type type;
};

/// `declarations |- term`.
struct Judgement {
  std::vector<Declaration> declarations;
  TermPointer term;
};

}  // namespace agon::algol
