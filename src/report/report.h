// SPDX-License-Identifier: Apache-2.0
/// The results of a run as values, and their rendering as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evidence/inputs.h"
#include "evidence/result.h"
#include "support/context.h"
#include "support/verdict.h"

namespace agon::report {

/// A challenger's winning strategy with its names resolved. Shared parts are
/// stored once and referred to by index; node 0 is the root.
struct StrategyTree {
  struct Node {
    std::string implementation;  ///< The two states of the position.
    std::string specification;
    std::string challenge;  ///< The action that the implementation takes.
    std::string moved_to;   ///< Its state after that.
    /// One node for each answer of the specification; none if it has none.
    std::vector<std::size_t> responses;
    /// What the specification could do instead, where it has no answer.
    std::vector<std::string> allowed;
  };
  std::vector<Node> nodes;
};

/// Why a `violated` is true.
struct Counterexample {
  std::vector<std::string> actions;
  std::optional<std::vector<std::string>> allowed;
  std::optional<StrategyTree> tree;
  std::vector<StrategyTree> more_trees;  ///< Other ways to win, if asked for.
  std::optional<std::string> formula;
  // Of a C program.
  std::vector<evidence::SourceStep> steps;
  std::vector<std::pair<std::string, std::string>> initial;
  std::vector<evidence::StrategyNode> strategy;
  /// In a deadlock: components, and what they wait for.
  std::vector<std::pair<std::string, std::vector<std::string>>> waiting;
  std::vector<std::string> dialogue;  ///< Of a module.
  std::optional<evidence::Recording> recording;
  std::optional<evidence::Interleaving> interleaving;
  std::vector<std::string> components;
  /// Where the specification can be before the first and after each action.
  std::vector<std::vector<std::uint32_t>> specification_states;
};

/// A specification as a graph.
struct SpecificationGraph {
  struct Transition {
    std::uint32_t from = 0;
    std::string label;
    std::uint32_t to = 0;
  };
  std::uint32_t initial = 0;
  std::size_t num_states = 0;
  std::vector<std::string> alphabet;
  /// By state; empty for those that have none, or altogether.
  std::vector<std::string> state_names;
  std::vector<Transition> transitions;

  /// What to call a state.
  std::string name(std::size_t state) const {
    return state < state_names.size() && !state_names[state].empty()
               ? state_names[state]
               : std::to_string(state);
  }
  bool is_complete = true;  ///< Otherwise it is too large to be shown.
};

/// The answer to one question.
struct Result {
  using Value = std::variant<std::size_t, bool, std::string,
                             std::vector<std::string>, std::nullptr_t>;

  std::string target;
  std::string spec;  ///< Empty if there is none.
  /// The code that it is about, or else where it is asked; for reports that
  /// have to point somewhere though nothing happens.
  std::string file;
  std::size_t line = 0;
  std::optional<support::Verdict> verdict;
  std::string decided_by;
  std::string reason;  ///< Empty unless the verdict is unknown.
  std::optional<std::size_t> iterations;
  std::optional<std::vector<std::string>> predicates;
  std::optional<std::size_t> states;
  std::optional<std::size_t> solver_calls;
  double time_s = 0;
  std::optional<Counterexample> counterexample;
  std::optional<SpecificationGraph> specification;
  std::vector<evidence::Iteration> history;
  std::vector<evidence::Model> models;
  /// If the results of a report are about different ones.
  std::optional<evidence::Inputs> inputs;
  /// What a command adds under keys of its own, in this order.
  std::vector<std::pair<std::string, Value>> extra;
};

/// Something that was taken for granted.
struct ReportedAssumption {
  std::string subject;  ///< A routine, or a construct of the language.
  bool is_routine = true;
  std::string why;
  std::string file;  ///< Where it was first needed; empty if nowhere.
  std::size_t line = 0;
};

struct Report {
  std::string command;  ///< Such as `lts compare`.
  std::vector<Result> results;
  std::vector<ReportedAssumption> assumptions;
  std::optional<evidence::Inputs> inputs;  ///< Of a command that reads C.
  /// Keys that are repeated at top level, for scripts.
  std::vector<std::pair<std::string, Result::Value>> extra;
};

/// The report as one JSON document with a final newline. Text that is not
/// UTF-8 is shown with replacement characters. Statistics are included if they
/// are given.
std::string to_json(const Report& report,
                    const support::Statistics* statistics);

}  // namespace agon::report
