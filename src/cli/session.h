// SPDX-License-Identifier: Apache-2.0
/// What every command works with: limits and log, the labels of the run, and
/// the places for its text and its results.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/cache.h"
#include "cli/last_words.h"
#include "evidence/certificate.h"
#include "lts/label.h"
#include "report/report.h"
#include "support/context.h"
#include "support/verdict.h"

namespace agon::cli {

using report::Counterexample;
using report::Report;
using report::ReportedAssumption;
using report::Result;
using report::StrategyTree;

/// What the process tells its caller.
enum class ExitCode {
  Holds = 0,  ///< Also: the work is done and there was nothing to decide.
  Violated = 1,
  BadInput = 2,
  Unknown = 3,
  InternalError = 4,
};

constexpr ExitCode exit_code(support::Verdict verdict) {
  switch (verdict) {
    case support::Verdict::Holds:
      return ExitCode::Holds;
    case support::Verdict::Violated:
      return ExitCode::Violated;
    case support::Verdict::Unknown:
      return ExitCode::Unknown;
  }
  return ExitCode::InternalError;
}

/// One violation decides, and otherwise one unknown.
ExitCode exit_code(const Report& report);

struct Replaying;

struct Session {
  explicit Session(support::Limits limits, support::Log* log,
                   std::uint64_t seed)
      : context(limits, log, seed) {}

  support::Context context;
  lts::SharedLabels labels = std::make_shared<lts::LabelTable>();
  Report report;
  std::vector<evidence::Proof> proofs;  ///< For a certificate.
  std::unique_ptr<Cache> cache;         ///< Null without.
  std::vector<std::string> files;  ///< Those that were read, for showing them.
  std::string subject;             ///< The first system that was asked for.
  std::string compared_to;         ///< What it is compared with, if anything.
  std::vector<Untried> untried;    ///< What will be looked at after that.
  /// What is known of it when only a certificate is missing.
  std::optional<Result> answered;
  bool has_harness = false;        ///< One was written.
  Replaying* replaying = nullptr;  ///< If recorded violations are run.
  std::string text;  ///< For the user; shown unless stdout carries JSON.
  /// Whether the work is done by other processes, to which the limits apply.
  std::atomic<bool> has_workers = false;
  LastWords last_words;

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format,
                   std::forward<Args>(args)...);
  }
};

/// Says what is being looked at, in case that the process has to be ended.
void begin(Session& session, std::string subject, std::string compared_to = "");
/// The same with what is known about it.
void publish(Session& session, std::size_t iterations = 0,
             std::vector<std::string> predicates = {});

/// Adds `unknown` to the results, for this reason.
ExitCode give_up(Session& session, const std::string& reason);

}  // namespace agon::cli
