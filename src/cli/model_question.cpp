// SPDX-License-Identifier: Apache-2.0
#include "cli/model_question.h"

#include <fmt/format.h>

#include <optional>

#include "abstraction/symbolic.h"
#include "cli/decide.h"
#include "cli/output.h"
#include "cli/questions.h"
#include "ir/print.h"
#include "lts/aut.h"
#include "lts/dot.h"
#include "lts/explore.h"
#include "spec/specification.h"
#include "spec/weave.h"
#include "support/error.h"
#include "verify/question.h"

namespace agon::cli {
namespace {

/// A program, and what is asked about it.
struct Posed {
  ir::Program program;
  std::string target;
  ir::FunctionId entry;
  std::shared_ptr<const lts::Lts> spec;
};

Posed pose_reach(const ModelOptions& options, Session& session) {
  const std::string target = options.entry.empty() ? "main" : options.entry;
  CInput input = options.input;
  input.options.constants_must_not_wrap =
      options.integers == verify::Integers::Mathematical;
  ir::Program program = load_program(input, session);
  const ir::FunctionId entry = find_function(program, target);
  verify::mark_errors(program, kErrorRoutines);
  return {std::move(program), target, entry,
          std::make_shared<const lts::Lts>(no_error(session.labels))};
}

Posed pose_specified(const ModelOptions& options, Session& session) {
  const spec::Specification specification =
      spec::load(options.spec, session.context);
  CInput input = options.input;
  input.options.fragments = specification.fragments();
  input.options.constants_must_not_wrap =
      options.integers == verify::Integers::Mathematical;
  ir::Program program = load_program(input, session);
  const spec::Woven woven = spec::weave(program, specification);
  for (const spec::Question& question : woven.questions) {
    if (!options.target.empty() && question.target != options.target) continue;
    const ir::FunctionId entry = *program.find_function(question.entry);
    return {std::move(program), question.target, entry, question.lts};
  }
  throw support::InputError(
      fmt::format("'{}' has no such 'verify'", options.spec));
}

std::string conjunction(const std::vector<term::Term>& terms,
                        const term::CStyle& style) {
  std::vector<std::string> parts;
  for (const term::Term t : terms) parts.push_back(term::to_c(t, style));
  return parts.empty() ? "" : fmt::format("[{}]  ", fmt::join(parts, " && "));
}

/// The places where a block can end, when, and what has changed then.
std::string print_blocks(const ir::Program& program, ir::FunctionId entry) {
  const abstraction::Blocks blocks(program, entry,
                                   abstraction::BlockMode::Large);
  abstraction::SymbolicExecution execution(blocks);
  const term::CStyle style = ir::c_style(program);
  std::string text;
  for (const abstraction::Block& block : blocks.all()) {
    text += fmt::format("block {}\n", block.start.value() + 1);
    const auto exits = execution.run(block.start, {}, [&](ir::EdgeId edge) {
      const auto& havoc =
          std::get<ir::Havoc>(blocks.body().edge(edge).statement);
      return program.pool->variable(fmt::format("any.{}", edge.value()),
                                    program[havoc.target].term.sort());
    });
    for (const abstraction::Exit& exit : exits) {
      const ir::Edge& edge = blocks.body().edge(exit.edge);
      const ir::FunctionId action = blocks.action(exit.edge);
      text += fmt::format(
          "  {}{}-> {}   {}\n", conjunction(exit.guard, style),
          action.valid() ? fmt::format("{}  ", program[action].display) : "",
          edge.to.value() + 1, ir::place_of(program, edge));
      for (const auto& [variable, value] : exit.values.entries()) {
        if (value == program[variable].term) continue;
        text += fmt::format("      {} = {}\n", program[variable].display,
                            term::to_c(value, style));
      }
    }
  }
  return text;
}

/// The abstract program on which the question is decided.
std::string print_abstract(const Posed& posed, const ModelOptions& options,
                           Session& session) {
  EngineOptions engine;
  engine.verify.integers = options.integers;
  engine.verify.unrolling = 0;  // The model shows the loops.
  std::string text;
  engine.verify.on_model = [&](lts::Successors& model) {
    const lts::Lts whole = lts::explore(model, session.context);
    text = options.aut ? lts::write_aut(whole) : lts::write_dot(whole);
  };
  const evidence::Result found = decide(
      posed.program,
      {posed.target, "", posed.entry, *posed.spec, posed.target != "main"},
      engine, session);
  if (text.empty()) {
    throw support::InputError("there is no model to show: " + found.reason);
  }
  return text;
}

}  // namespace

ExitCode show_question(const ModelOptions& options, Session& session) {
  const Posed posed = options.spec.empty() ? pose_reach(options, session)
                                           : pose_specified(options, session);
  std::string text;
  if (options.view == ModelView::Blocks) {
    const verify::Prepared prepared = verify::prepare(
        posed.program, posed.entry, *posed.spec, posed.target != "main",
        session.context, options.integers);
    if (prepared.reason) return give_up(session, *prepared.reason);
    text = print_blocks(prepared.program, prepared.entry);
  } else {
    text = print_abstract(posed, options, session);
  }
  if (options.output.empty()) {
    session.text += text;
  } else {
    write_file(options.output, text);
  }
  return ExitCode::Holds;
}

}  // namespace agon::cli
