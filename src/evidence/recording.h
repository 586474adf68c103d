// SPDX-License-Identifier: Apache-2.0
/// An execution as the answers to whatever the program does not determine, so
/// that the interpreter can run it again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "term/bits.h"

namespace agon::evidence {

/// Numbers are written as decimals of unsigned integers, since they may have
/// 128 bits.
struct Recording {
  struct Cell {
    std::uint64_t address = 0;
    std::uint8_t byte = 0;

    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Named {
    std::string name;  ///< Unique in the program.
    std::string value;

    friend bool operator==(const Named&, const Named&) = default;
  };
  enum class Kind : std::uint8_t {
    Choice,    ///< The value of a variable that may hold anything.
    Array,     ///< The same for bytes: those that are read later.
    Call,      ///< What a routine without a body returns and changes.
    Object,    ///< Where an object lies.
    Heap,      ///< Where something lies that was allocated.
    Function,  ///< Where a function lies whose address is used.
  };
  /// One of the answers, in the order in which the interpreter asks.
  struct Answer {
    Kind kind = Kind::Choice;
    std::string name;    ///< The variable, routine or object.
    std::string source;  ///< Of a choice: the routine that was asked, if any.
    std::string reason;  ///< Of a choice: why it is one.
    std::string file;    ///< Where; empty if nowhere.
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::vector<std::string> values;
    std::vector<Cell> memory;
    std::vector<Named> globals;
    bool matters = false;  ///< Otherwise another answer would do as well.

    friend bool operator==(const Answer&, const Answer&) = default;
  };

  /// Which program it is about, if not the one that was given.
  struct Variant {
    /// Routines of the C library have bodies (ir/library.h).
    bool has_library = false;
    /// Targets that call themselves are called, and not what their
    /// specifications allow.
    bool is_unfolded = false;

    friend bool operator==(const Variant&, const Variant&) = default;
  };

  /// Of the program as text, so that no other is run.
  std::string program_sha256;
  Variant variant;
  std::string entry;  ///< The function of the woven program to start in.
  /// Whether globals hold what they hold at any time, not what they start with.
  bool any_state = false;
  std::vector<Named> initial;  ///< Of globals and parameters.
  std::vector<Cell> memory;    ///< Before the start; other bytes are 0.
  std::vector<Answer> answers;
  /// What the execution performs that the specification constrains; the last
  /// one is what it does not allow, unless this is one branch of a strategy.
  std::vector<std::string> actions;
  bool is_branch = false;
};

/// An execution of the components of a program.
struct Interleaving {
  /// What happens in turn, by the names that actions have in the program.
  std::vector<std::string> events;
  /// By component, each with its own actions. If it is stuck in the end, then
  /// the answers go as far as to where it waits.
  std::vector<Recording> components;
};

/// What a call through a pointer to a function of other files is recorded as.
inline constexpr const char* kSomeFunction = "a function of other files";

/// `choice`, `array`, …
const char* to_string(Recording::Kind kind);

/// Of its decimal digits.
term::Bits number(const std::string& digits);

}  // namespace agon::evidence
