// SPDX-License-Identifier: Apache-2.0
/// Verification witnesses of SV-COMP, format 2.0.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/recording.h"
#include "evidence/result.h"
#include "ir/program.h"

namespace agon::evidence {

/// What a witness is about.
struct WitnessTask {
  struct File {
    std::string name;
    std::string sha256;
    std::string text;
  };
  std::string version;  ///< Of Agon.
  std::vector<File> files;
  std::string specification;  ///< The text of the property file.
  ir::DataModel model = ir::DataModel::LP64;
  std::string creation_time;  ///< ISO 8601.
  std::function<std::string(std::string_view)> sha256;
};

/// An execution: the values that inputs return, and the violating statement.
/// `program` is as in verify/record.h.
std::string violation_witness(const WitnessTask& task,
                              const ir::Program& program,
                              const Recording& recording);

/// Loop invariants.
std::string correctness_witness(const WitnessTask& task,
                                const std::vector<LoopInvariant>& invariants);

/// Whether what is declared at one place of a text is known at the loop whose
/// condition is at another.
bool is_in_scope(std::string_view text, const ir::Position& declared,
                 const ir::Position& condition);

// For tests and parts of the above.

/// The offset of the parenthesis that closes the call that starts at `offset`;
/// nothing if no call of `routine` starts there.
std::optional<std::size_t> end_of_call(std::string_view text,
                                       std::size_t offset,
                                       std::string_view routine);

/// A statement that divides control by a condition.
struct Branch {
  std::size_t keyword = 0;  ///< The offset of `if`, `while` or `for`.
  /// Whether the expression at the given offset is what the condition negates.
  bool is_negated = false;
};

/// The statement in whose condition an expression starts at `offset`. Nothing
/// if the condition is not as simple as that: other expressions, macros or the
/// end of a `do` may decide as well.
std::optional<Branch> branch_of_condition(std::string_view text,
                                          std::size_t offset);

/// The offset of the keyword of the loop whose condition starts at `offset`, or
/// that has none and whose body starts there.
std::optional<std::size_t> loop_of_condition(std::string_view text,
                                             std::size_t offset);

}  // namespace agon::evidence
