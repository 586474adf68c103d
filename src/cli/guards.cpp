// SPDX-License-Identifier: Apache-2.0
#include "cli/guards.h"

#include <fmt/format.h>

#include <memory>

#include "cli/decide.h"
#include "cli/questions.h"
#include "support/error.h"

namespace agon::cli {
namespace {

using support::Verdict;

/// The specification that allows everything but that guards are wrong.
lts::Lts guards_are_fine(const spec::GuardCheck& check) {
  const auto labels = std::make_shared<lts::LabelTable>();
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  if (check.must_be_exclusive) {
    builder.extend_alphabet(labels->intern(spec::GuardCheck::kOverlap));
  }
  if (check.must_be_complete) {
    builder.extend_alphabet(labels->intern(spec::GuardCheck::kIncomplete));
  }
  return std::move(builder).build();
}

/// `n = 3, fd = -1` from the start of a counterexample.
std::string values_of(const evidence::Counterexample& counterexample) {
  std::vector<std::string> shown;
  for (const auto& [name, value] : counterexample.initial) {
    shown.push_back(fmt::format("{} = {}", name, value));
  }
  return shown.empty() ? "" : fmt::format(" for {}", fmt::join(shown, ", "));
}

}  // namespace

void check_guards(const ir::Program& program, const spec::GuardCheck& check,
                  const EngineOptions& options, Session& session) {
  if (session.replaying != nullptr) return;  // They were fine then.
  if (!check.must_be_exclusive && !check.must_be_complete) return;
  const lts::Lts fine = guards_are_fine(check);
  const auto entry = program.find_function(check.entry);
  AGON_ASSERT(entry.has_value());
  const evidence::Result found = decide(
      program, {check.routine, "guards", *entry, fine, true}, options, session);
  if (found.verdict == Verdict::Unknown) {
    ReportedAssumption assumption;
    assumption.subject = check.routine;
    assumption.is_routine = true;
    assumption.why = fmt::format(
        "its guards are taken to be exclusive{}; this could not be decided "
        "({})",
        check.must_be_complete ? " and complete" : "", found.reason);
    session.report.assumptions.push_back(std::move(assumption));
  }
  if (found.verdict != Verdict::Violated) return;
  const bool overlap =
      found.counterexample->actions.back() == spec::GuardCheck::kOverlap;
  check.place.fail(
      overlap
          ? fmt::format("two of these guards hold at once{}",
                        values_of(*found.counterexample))
          : fmt::format("no guard holds{}; an 'otherwise' would cover the rest",
                        values_of(*found.counterexample)));
}

}  // namespace agon::cli
