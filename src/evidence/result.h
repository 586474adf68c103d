// SPDX-License-Identifier: Apache-2.0
/// What an engine found out about one question, for people and for checkers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evidence/insight.h"
#include "evidence/recording.h"
#include "support/verdict.h"

namespace agon::evidence {

/// One step of a counterexample in the source.
struct SourceStep {
  std::string file;
  std::uint32_t line = 0;
  /// If it is in the specification: the call in the program that led there.
  Place call = {};
  std::string text;           ///< The statement as C.
  std::string action;         ///< The visible action that it performs, if any.
  bool is_technical = false;  ///< About a variable that the source has not.
  bool is_return = false;     ///< Of a function; the value is its result.
  /// What it assigned or tested, by name.
  std::vector<std::pair<std::string, std::string>> values;
  // Of a program of several components:
  std::string component;  ///< Whose step it is; empty if there is but one.
  /// Steps that perform an action together have the same number, from 1 on in
  /// the order of events; 0 for others.
  std::size_t event = 0;
};

/// A node of a winning strategy: a challenge, and what follows each answer.
struct StrategyNode {
  std::string challenge;
  std::vector<std::uint32_t> children;  ///< Indices into `strategy`.
  /// The state of the specification that is challenged; none if not known.
  std::optional<std::uint32_t> specification;
  /// What it could do instead, where it has no answer.
  std::vector<std::string> allowed = {};
};

struct Counterexample {
  /// What parameters and globals that matter hold at the start, by name.
  std::vector<std::pair<std::string, std::string>> initial;
  /// Visible actions of the execution that is shown; the last is the one that
  /// the specification does not allow.
  std::vector<std::string> actions;
  /// What it allowed instead.
  std::vector<std::string> allowed;
  std::vector<SourceStep> steps;
  /// Of a module: what its client and it say to each other, a line each.
  std::vector<std::string> dialogue;
  /// Where simulation was asked and no single execution tells all: the tree,
  /// root first.
  std::vector<StrategyNode> strategy;
  /// Of a program: its components, and for a deadlock what each waits for;
  /// empty for those that have ended.
  std::vector<std::string> components;
  std::vector<std::pair<std::string, std::vector<std::string>>> waiting;
  /// The execution on the whole program, if it could be carried over.
  std::optional<Recording> recording;
  std::optional<Interleaving> interleaving;  ///< The same of a program.
};

/// Holds whenever the condition of a loop is about to be evaluated.
struct LoopInvariant {
  std::string file;
  std::uint32_t line = 0;  ///< Where the condition starts.
  std::uint32_t column = 0;
  std::string function;
  std::string value;  ///< In C.
};

struct Result {
  std::string target;
  std::string spec;
  support::Verdict verdict = support::Verdict::Unknown;
  std::string decided_by;  ///< `simulation`, `trace`, `attractor`.
  /// If it is violated by an attractor: how to get there, for people.
  std::vector<std::string> strategy;
  std::string reason;  ///< Why Unknown.
  std::size_t iterations = 0;
  std::size_t splits = 0;  ///< Of classes, where there are two levels.
  std::vector<std::string> predicates;
  std::vector<std::string> invariants;  ///< That the proof relies on, too.
  std::size_t states = 0;
  std::uint64_t solver_calls = 0;
  double time_s = 0;
  std::optional<Counterexample> counterexample;
  /// If it holds: actions of the specification that the program surely never
  /// performs, and whether these are all of them. Then the verdict is empty.
  std::vector<std::string> never_performed;
  bool is_vacuous = false;
  /// States of the specification that the program surely never brings it to,
  /// though it performs what leads there: a shortest way to each.
  std::vector<std::string> never_reached;
  bool is_never_called = false;  ///< No call satisfies the guard.
  /// Routines of the C library that are taken to do what the standard says,
  /// where the verdict depends on it.
  std::vector<std::string> library;
  /// If it holds and they were asked for, as far as C can say them.
  std::vector<LoopInvariant> loop_invariants;
  // As far as it was asked for:
  std::vector<Iteration> history;
  std::vector<Model> models;  ///< One, or one for each kind of component.
};

}  // namespace agon::evidence
