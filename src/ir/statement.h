// SPDX-License-Identifier: Apache-2.0
/// What can stand on an edge of a control-flow automaton.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ir/ids.h"
#include "term/term.h"

namespace agon::ir {

/// target := value. Memory is a variable too: `*p = e` assigns
/// `write(memory, p, e)` to `memory`.
struct Assign {
  VariableId target;
  term::Term value;

  friend bool operator==(const Assign&, const Assign&) = default;
};

/// Why a value is arbitrary.
enum class HavocReason : std::uint8_t {
  Input,          ///< `__VERIFIER_nondet_*`.
  Uninitialised,  ///< A local that was declared but not given a value.
  Undefined,      ///< An operation that C leaves undefined, such as x / 0.
  Float,          ///< Floating-point arithmetic.
  Unsupported,    ///< Something that an assumption of the program describes.
};

/// target := anything.
struct Havoc {
  VariableId target;
  HavocReason reason = HavocReason::Input;
  std::string source;  ///< The routine that was asked, if any.

  friend bool operator==(const Havoc&, const Havoc&) = default;
};

/// Passes only where the condition, a Boolean term, holds.
struct Assume {
  term::Term condition;

  friend bool operator==(const Assume&, const Assume&) = default;
};

/// A call of a function, with or without a body, or through a pointer. Structs
/// that are passed or returned by value are passed as their scalars, in order.
struct Call {
  FunctionId callee;   ///< Invalid if the call goes through `pointer`.
  term::Term pointer;  ///< The address called, otherwise invalid.
  std::vector<term::Term> arguments;
  std::vector<VariableId> results;  ///< Empty if the result is not used.
  TypeId type;  ///< The function type that the call site assumes.

  friend bool operator==(const Call&, const Call&) = default;
};

/// Leaves the function; its edge ends in the function's exit.
struct Return {
  std::vector<term::Term> values;

  friend bool operator==(const Return&, const Return&) = default;
};

using Statement = std::variant<Assign, Havoc, Assume, Call, Return>;

}  // namespace agon::ir
