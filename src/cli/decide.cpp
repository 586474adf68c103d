// SPDX-License-Identifier: Apache-2.0
#include "cli/decide.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/call_graph.h"
#include "cli/cache.h"
#include "cli/replay.h"
#include "cli/variant.h"
#include "ir/library.h"
#include "smt/solvers.h"
#include "support/sort_unique.h"
#include "support/watchdog.h"
#include "verify/knowledge.h"
#include "verify/question.h"
#include "verify/record.h"
#include "verify/sequential.h"

namespace agon::cli {

using support::Verdict;

bool relies_on_abstraction(const ir::Program& program, ir::FunctionId entry,
                           const OwnAbstractions& own) {
  if (own.empty()) return false;
  return std::ranges::any_of(
      analysis::CallGraph(program).reachable(entry),
      [&](ir::FunctionId function) { return own.contains(function); });
}

std::vector<std::string> library_calls(const ir::Program& program,
                                       ir::FunctionId entry,
                                       const evidence::Recording* recording) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (ir::is_in_library(name)) names.push_back(name);
  };
  if (recording != nullptr) {
    for (const evidence::Recording::Answer& answer : recording->answers) {
      if (answer.kind == evidence::Recording::Kind::Call && answer.matters) {
        add(answer.name);
      }
    }
  } else {
    for (const ir::FunctionId id :
         analysis::CallGraph(program).reachable(entry)) {
      if (!program[id].has_body) add(program[id].name);
    }
  }
  support::sort_unique(names);
  return names;
}

std::string rests_on_library(const std::vector<std::string>& names,
                             const std::string& reason) {
  return fmt::format(
      "a violation was found that depends on what '{}' returns; with what the "
      "C standard says: {}",
      fmt::join(names, "', '"), reason);
}

evidence::Result as_unknown(evidence::Result result, std::string reason) {
  result.verdict = Verdict::Unknown;
  result.reason = std::move(reason);
  result.counterexample.reset();
  return result;
}

lts::Lts never(const std::string& action) {
  const auto labels = std::make_shared<lts::LabelTable>();
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  builder.extend_alphabet(labels->intern(action));
  return std::move(builder).build();
}

namespace {

struct Decided {
  evidence::Result result;
  bool is_exact = true;
  bool is_doubtful = false;
  bool is_recursive = false;  ///< The reason names the cycles.
};

/// All that an answer depends on but the program.
void describe(const AskedQuestion& question, std::string_view kind,
              CacheKey& key) {
  key.add(kind).add(question.target).add(question.spec).add(question.lts);
  key.add(question.any_state ? "any" : "initial");
  key.add(question.callbacks ? "callbacks" : "");
  if (question.module == nullptr) return;
  for (const verify::ModuleFunction& function : *question.module) {
    key.add(function.name);
    for (const std::string& name : function.arguments) key.add(name);
    for (const std::string& name : function.results) key.add(name);
  }
}

/// The question may meanwhile be asked about another program.
bool is_about_another(const ir::Program& program,
                      const AskedQuestion& question) {
  return question.digest != nullptr && !question.digest->is_of(program);
}

std::string digest_of(const ir::Program& program,
                      const AskedQuestion& question) {
  const bool is_known =
      question.digest != nullptr && question.digest->is_of(program);
  return is_known ? question.digest->text() : digest(program);
}

/// Whether an answer that was kept for what is left of the program has all that
/// this run shows. A recording is one of the whole program.
bool can_be_shown(const evidence::Result& known, const ir::Program& program,
                  const AskedQuestion& question, const EngineOptions& options) {
  if (options.verify.detail == evidence::Detail::None) return true;
  if (!known.counterexample || !known.counterexample->recording) return true;
  return known.counterexample->recording->program_sha256 ==
         digest_of(program, question);
}

/// The same for an answer about the whole program, of which only places can
/// have moved.
bool can_be_completed(evidence::Result& known, const ir::Program& program,
                      const AskedQuestion& question,
                      const EngineOptions& options) {
  if (!known.counterexample || !known.counterexample->recording) return true;
  std::string& of_program = known.counterexample->recording->program_sha256;
  if (of_program.empty()) {
    return options.verify.detail == evidence::Detail::None;
  }
  of_program = digest_of(program, question);
  return true;
}

/// What routines without a body may change was found out before; a violation
/// may not rest on more than they can know in its execution.
evidence::Result doubted(evidence::Result result,
                         const verify::Original& original) {
  if (result.verdict != Verdict::Violated || !result.counterexample ||
      !result.counterexample->recording) {
    return result;
  }
  const auto doubt = verify::change_without_knowledge(
      verify::runnable(original), *result.counterexample->recording);
  return doubt ? as_unknown(std::move(result), *doubt) : std::move(result);
}

Decided decide_once(const ir::Program& program, const AskedQuestion& question,
                    const std::optional<verify::ModuleView>& module,
                    const EngineOptions& options, Session& session,
                    const verify::Recursion& recursion = {}) {
  evidence::Result found;
  verify::Prepared prepared =
      verify::prepare(program, question.entry, question.lts, question.any_state,
                      session.context, options.verify.integers, module,
                      recursion, options.verify.unfolds());
  if (prepared.reason) {
    found.reason = *prepared.reason;
  } else {
    const auto identify = [&](CacheKey& key) {
      describe(question, "prepared", key);
      key.add(prepared.program[prepared.entry].name).add(prepared.program);
    };
    const auto decide_now = [&] {
      smt::SolverFactory solvers(*prepared.program.pool,
                                 {.name = options.solver,
                                  .is_patient = true,
                                  .context = &session.context});
      const auto solver = solvers.make();
      const support::Watchdog watchdog(session.context,
                                       [&] { solver->interrupt(); });
      const verify::Original original{program, question.entry,
                                      question.any_state};
      verify::Options engine = options.verify;
      // Of loops that are written out, nothing is learnt about the others.
      if (prepared.is_unfolded) engine.on_proof = nullptr;
      engine.on_learnt = [&](std::size_t iterations,
                             std::vector<std::string> predicates) {
        publish(session, iterations, std::move(predicates));
      };
      // That a call is deeper is said by the prepared program only.
      evidence::Result result =
          verify::decide({prepared.program, prepared.entry, question.lts,
                          prepared.mathematical.get(), question.module,
                          recursion.is_visible ? nullptr : &original},
                         engine, *solver, session.context);
      if (!module) result = doubted(std::move(result), original);
      // Recordings of another program are seen by the cache only.
      const bool is_seen =
          session.cache != nullptr || !is_about_another(program, question);
      if (is_seen && result.counterexample &&
          result.counterexample->recording) {
        result.counterexample->recording->program_sha256 =
            digest_of(program, question);
      }
      return result;
    };
    found = remembered(identify, session, decide_now, [&](auto& known) {
      return can_be_shown(known, program, question, options);
    });
  }
  found.target = question.target;
  found.spec = question.spec;
  report_assumptions(prepared.program, program, session.report);
  return {std::move(found), prepared.is_exact, prepared.is_doubtful,
          prepared.is_recursive};
}

/// What the client and the routines around a module know of its memory, and to
/// which calls they come back, is followed exactly up to a point only. So
/// first it is asked what they can do for certain, then what they possibly can.
evidence::Result decide_module(const ir::Program& program,
                               const AskedQuestion& question,
                               const EngineOptions& options, Session& session) {
  verify::ModuleView view{analysis::Around::Certain, question.callbacks};
  Decided certain = decide_once(program, question, view, options, session);
  if (certain.result.verdict == Verdict::Violated) {
    if (!certain.is_doubtful) return std::move(certain.result);
    return as_unknown(std::move(certain.result),
                      "a client may have to keep pointers to memory of the "
                      "module that it was never given");
  }
  if (certain.is_exact) return std::move(certain.result);
  view.around = analysis::Around::All;
  Decided all = decide_once(program, question, view, options, session);
  if (all.result.verdict != Verdict::Violated) return std::move(all.result);
  return as_unknown(
      std::move(all.result),
      fmt::format(
          "the violation found may depend on {}what "
          "clients know of the module's memory",
          question.callbacks ? "callbacks from inside of callbacks, or " : ""));
}

/// Follows recursion to a depth, and deeper as long as calls get there. What is
/// found on the way is real; a proof is one if no call is deeper.
evidence::Result decide_recursive(const ir::Program& program,
                                  const AskedQuestion& question,
                                  const std::string& cycles,
                                  std::size_t deepest,
                                  const EngineOptions& options,
                                  Session& session) {
  const lts::Lts not_deeper = never(verify::kDeeper);
  const AskedQuestion depth_question{.target = question.target,
                                     .spec = question.spec,
                                     .entry = question.entry,
                                     .lts = not_deeper,
                                     .any_state = question.any_state,
                                     .digest = question.digest};
  evidence::Result result;
  std::size_t looked_at = 0;
  for (std::size_t depth = 2; depth <= deepest; depth *= 2) {
    Decided within = decide_once(program, question, std::nullopt, options,
                                 session, {.depth = depth});
    if (within.result.verdict == Verdict::Violated) return within.result;
    if (within.result.verdict == Verdict::Holds) {
      looked_at = depth;
      const Decided deeper =
          decide_once(program, depth_question, std::nullopt, options, session,
                      {.depth = depth, .is_visible = true});
      if (deeper.result.verdict == Verdict::Holds) return within.result;
      within.result.reason = deeper.result.reason;
      if (deeper.result.verdict == Verdict::Violated) {
        result = std::move(within.result);
        continue;
      }
    }
    result = std::move(within.result);
    break;
  }
  std::string reason = cycles;
  if (looked_at > 0) {
    reason += fmt::format("; nothing is wrong up to a depth of {}", looked_at);
  }
  if (!result.reason.empty()) reason += fmt::format(": {}", result.reason);
  return as_unknown(std::move(result), std::move(reason));
}

/// What was recorded of a variant, as what was recorded of the program.
void carry_over(const ir::Program& program,
                bool evidence::Recording::Variant::* kind,
                evidence::Result& result) {
  if (!result.counterexample || !result.counterexample->recording) return;
  evidence::Recording& recording = *result.counterexample->recording;
  recording.program_sha256 = digest(program);
  recording.variant.*kind = true;
}

}  // namespace

evidence::Result decide_unfolded(const ir::Program& program,
                                 const AskedQuestion& question,
                                 const std::string& reason,
                                 const EngineOptions& options,
                                 Session& session) {
  constexpr std::size_t kDeepest = 16;
  const ir::Program unfolded =
      variant_of(program, question, {.is_unfolded = true});
  evidence::Result result =
      decide_recursive(unfolded, question, reason, kDeepest, options, session);
  carry_over(program, &evidence::Recording::Variant::is_unfolded, result);
  return result;
}

namespace {

/// With recursion followed where no specification describes it.
evidence::Result decide_sequential(const ir::Program& program,
                                   const AskedQuestion& question,
                                   const EngineOptions& options,
                                   Session& session) {
  constexpr std::size_t kDeepest = 4096;
  Decided done = decide_once(program, question, std::nullopt, options, session);
  if (done.is_recursive) {
    return decide_recursive(program, question, done.result.reason, kDeepest,
                            options, session);
  }
  const bool is_doubtful =
      done.result.verdict == Verdict::Violated && question.own != nullptr &&
      relies_on_abstraction(program, question.entry, *question.own);
  if (!is_doubtful) return std::move(done.result);
  // The inner calls may do less than the specification allows.
  return decide_unfolded(
      program, question,
      fmt::format("a violation was found that may depend on what '{}' is taken "
                  "to do where it calls itself",
                  question.target),
      options, session);
}

/// The same with the routines of the C library themselves.
evidence::Result decide_with_library(const ir::Program& program,
                                     const AskedQuestion& question,
                                     std::vector<std::string> names,
                                     const EngineOptions& options,
                                     Session& session) {
  const ir::Program defined =
      variant_of(program, question, {.has_library = true});
  evidence::Result result =
      decide_sequential(defined, question, options, session);
  carry_over(program, &evidence::Recording::Variant::has_library, result);
  if (result.verdict == Verdict::Unknown) {
    result.reason = rests_on_library(names, result.reason);
  }
  result.library = std::move(names);
  return result;
}

/// A violation may not rest on what the C library never returns.
evidence::Result decide_really(const ir::Program& program,
                               const AskedQuestion& question,
                               const EngineOptions& options, Session& session) {
  const std::vector<ReportedAssumption> assumed = session.report.assumptions;
  evidence::Result found =
      decide_sequential(program, question, options, session);
  if (found.verdict != Verdict::Violated) return found;
  const auto& recording = found.counterexample->recording;
  auto names =
      library_calls(program, question.entry, recording ? &*recording : nullptr);
  if (names.empty()) return found;
  session.report.assumptions = assumed;
  return decide_with_library(program, question, std::move(names), options,
                             session);
}

}  // namespace

evidence::Result decide(const ir::Program& program,
                        const AskedQuestion& question,
                        const EngineOptions& options, Session& session) {
  const auto identify = [&](CacheKey& key) {
    describe(question, "woven", key);
    key.add(program[question.entry].name).add(program);
  };
  const auto decide_now = [&] {
    if (question.module != nullptr) {
      evidence::Result found =
          decide_module(program, question, options, session);
      found.strategy.clear();  // The dialogue says it in the user's words.
      return found;
    }
    return decide_really(program, question, options, session);
  };
  return remembered(
      identify, session, decide_now, [&](evidence::Result& known) {
        return can_be_completed(known, program, question, options);
      });
}

}  // namespace agon::cli
