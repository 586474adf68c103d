// SPDX-License-Identifier: Apache-2.0
/// Asks the engine, and tells the user what it said.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/session.h"
#include "evidence/result.h"
#include "evidence/script.h"
#include "ir/program.h"
#include "lts/lts.h"
#include "spec/errors.h"
#include "spec/specification.h"
#include "verify/dialogue.h"

namespace agon::cli {

class Induction;
class ProgramDigest;

/// One question about a program that has been woven with its specification.
/// As in spec::Woven.
using OwnAbstractions = std::map<ir::FunctionId, ir::FunctionId>;

struct AskedQuestion {
  std::string target;
  std::string spec;
  ir::FunctionId entry;
  const lts::Lts& lts;
  bool any_state = false;
  std::string guard = "";    ///< In C; empty if there is none.
  std::string guards = "";   ///< The function that performs `covered`
  std::string covered = "";  ///< if the guard holds.
  bool covers_all_entries = true;
  /// Whether the user has written what is asked, action by action.
  bool is_specified = true;
  /// If the entry is the client of a module: what it calls.
  const verify::ModuleFunctions* module = nullptr;
  /// What around the program is not the user's, for a harness; null: no harness
  /// can be made.
  const evidence::Surroundings* around = nullptr;
  bool callbacks = false;
  std::size_t arm = 0;                            ///< Of the `verify`.
  std::vector<std::string> errors = {};           ///< What `reach` looks for.
  std::span<const std::string> state_names = {};  ///< Of `lts`, if any.
  const OwnAbstractions* own = nullptr;           ///< Null: there are none.
  Induction* induction = nullptr;  ///< Null: nothing is taken for granted.
  /// Of the program that is asked about, if more is asked about it.
  const ProgramDigest* digest = nullptr;
  std::span<const spec::Unperformed> unperformed = {};
  std::span<const std::string> contradictory = {};
};

using spec::kErrorRoutines;
using spec::no_error;

/// Decides a question and enters the answer into the report.
support::Verdict ask(const ir::Program& program, const AskedQuestion& question,
                     const EngineOptions& options, Session& session);

// Parts of what is told, for other kinds of questions.

Result to_result(evidence::Result found);
/// What a reader of the C files knows: no steps of the specification's own
/// code, and nothing about variables that the source does not have.
std::vector<evidence::SourceStep> essential(
    const std::vector<evidence::SourceStep>& steps);
/// That a proof says little, if it does.
void print_emptiness(const evidence::Result& found, Session& session);

/// Says so where nothing could perform what a specification mentions.
void note_unperformed(std::span<const spec::Unperformed> labels, Result& result,
                      Session& session);
/// The tree of a strategy, where one path does not tell all.
void print_strategy(const evidence::Counterexample& counterexample,
                    Session& session);
/// What is known though the answer is not.
void print_learnt(const evidence::Result& found, Session& session);

/// Verdict, actions and path.
void print(const AskedQuestion& question, const evidence::Result& found,
           bool is_full, Session& session);

/// The verdict of a run with several questions.
support::Verdict worst(support::Verdict a, support::Verdict b);

}  // namespace agon::cli
