// SPDX-License-Identifier: Apache-2.0
/// The commands, one source file each. A command takes its
/// options as a value, puts text and results into the session, and answers
/// with the exit code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/c_input.h"
#include "cli/load.h"
#include "cli/session.h"
#include "evidence/result.h"
#include "falsify/falsify.h"
#include "verify/options.h"

namespace agon::cli {

struct InfoOptions {
  Input input;
};
ExitCode run_info(const InfoOptions& options, Session& session);

struct ConvertOptions {
  Input input;
  std::string output;
};
ExitCode run_convert(const ConvertOptions& options, Session& session);

struct ComposeOptions {
  std::vector<Input> inputs;
  std::string output;
  std::vector<std::string> hide;
  std::vector<std::string> keep;  ///< At most one of the two is given.
};
ExitCode run_compose(const ComposeOptions& options, Session& session);

enum class Equivalence {
  Strong,
  Branching,
  Weak,
  Trace,
  WeakTrace,
  Simulation
};
struct MinimizeOptions {
  Input input;
  std::string output;
  Equivalence equivalence = Equivalence::Strong;
};
ExitCode run_minimize(const MinimizeOptions& options, Session& session);

enum class Relation {
  Simulation,
  WeakSimulation,
  Trace,
  WeakTrace,
  Strong,
  Branching,
  Weak,
};
struct CompareOptions {
  Input implementation;
  Input specification;
  Relation relation = Relation::Simulation;
  bool full = false;
  std::size_t counterexamples = 1;
};
ExitCode run_compare(const CompareOptions& options, Session& session);

struct CheckOptions {
  Input input;
  bool default_progress = false;
};
ExitCode run_check(const CheckOptions& options, Session& session);

struct DrawOptions {
  Input input;
  std::string output;
  bool force = false;
};
ExitCode run_draw(const DrawOptions& options, Session& session);

/// What `agon model` shows.
enum class ModelView : std::uint8_t {
  Cfa,       ///< Control-flow automata.
  Blocks,    ///< What can happen between cut points.
  Abstract,  ///< The abstract program on which a question was decided.
};

struct ModelOptions {
  ModelView view = ModelView::Cfa;
  std::string spec;    ///< For blocks and abstract; empty: no error.
  std::string target;  ///< Of the specification; empty: its first.
  verify::Integers integers = verify::Integers::Machine;
  bool aut = false;
  CInput input;
  std::string function;  ///< Show only this one; empty: all.
  std::string entry;     ///< Where execution starts; empty: not said.
  std::string output;    ///< A file; empty: stdout.
  bool dot = false;
  bool inline_calls = false;
  bool regions = false;
  bool slice = false;
  bool typed_characters = false;
};
ExitCode run_model(const ModelOptions& options, Session& session);

/// How questions about C programs are to be decided.
struct EngineOptions {
  verify::Options verify;
  std::string solver = "z3";
  std::string harness;  ///< A file for the first violation; empty: none.
  /// Is shown what was found, before it is reported.
  std::function<void(const evidence::Result&)> on_result;
  std::string certificate;  ///< A file for proofs; empty: none.
  bool full_trace = false;  ///< Print steps of the specification's code too.
};

struct ReachOptions {
  CInput input;
  std::string entry = "main";
  std::string property;  ///< An SV-COMP property file; empty: none.
  std::string witness;   ///< A file for a witness; empty: none.
  bool svcomp = false;   ///< End with a line in the words of SV-COMP.
  EngineOptions engine;
};
ExitCode run_reach(const ReachOptions& options, Session& session);

struct FalsifyOptions {
  CInput input;
  std::string entry = "main";
  std::string domain;   ///< Empty: one after the other.
  std::string from;     ///< LINE or FILE:LINE; empty: the start.
  std::string harness;  ///< A file for a violation; empty: none.
  std::string solver = "z3";
  falsify::Options falsify;
};
ExitCode run_falsify(const FalsifyOptions& options, Session& session);

struct ReplayOptions {
  std::string file;        ///< What `--json` has written.
  std::size_t result = 0;  ///< Which result of several; 0: the first recorded.
  bool full_trace = false;
  std::string harness;  ///< A file to write one to; empty: none.
  bool trust = false;   ///< Read any file and pass any argument that it names.
};
ExitCode run_replay(const ReplayOptions& options, Session& session);

struct ConformanceOptions {
  CInput input;
  std::string spec;                 ///< A file, or a directory of files.
  std::string target;               ///< Only this procedure; empty: all.
  bool is_target_optional = false;  ///< It need not be in the C files.
  std::size_t jobs = 0;  ///< Processes at once; 0: none but this one.
  EngineOptions engine;
};
ExitCode run_conformance(const ConformanceOptions& options, Session& session);

struct ModuleOptions {
  CInput input;
  std::vector<std::string> api;
  std::string spec;  ///< Empty: none.
  bool callbacks = false;
  EngineOptions engine;
};
ExitCode run_module(const ModuleOptions& options, Session& session);

struct PlayOptions {
  std::string file;    ///< What --json wrote.
  std::string target;  ///< Which result; empty: the first that can be played.
};
/// Talks to stdin and stdout at once, instead of through the session.
ExitCode run_play(const PlayOptions& options, Session& session);

}  // namespace agon::cli
