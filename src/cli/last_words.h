// SPDX-License-Identifier: Apache-2.0
/// What a run would say if it had to end now.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "support/context.h"

namespace agon::cli {

/// A question that nobody has looked at yet.
struct Untried {
  std::string target;
  std::string spec;
};

/// What is known at some time.
struct Learnt {
  report::Report report;  ///< Of the questions that are answered.
  std::string text;       ///< The same for people.
  support::Statistics statistics;
  // About the question that is being looked at:
  std::string subject;
  std::string compared_to;
  std::size_t iterations = 0;
  std::vector<std::string> predicates;
  std::vector<Untried> untried;  ///< The questions behind it.
  /// What it turned out to be, if only a certificate is missing.
  std::optional<report::Result> answered;
};

/// A report with the text for people.
struct LastReport {
  report::Report report;
  std::string text;
};
/// What was found before, and `unknown` for the rest.
LastReport last_report(const Learnt& learnt, const std::string& reason);

/// Passes it from the thread that works to the one that keeps to the limits.
class LastWords {
 public:
  /// Copies only what has been added since the last time.
  void publish(const report::Report& report, const std::string& text,
               const support::Statistics& statistics,
               const std::string& subject, const std::string& compared_to,
               std::size_t iterations, std::vector<std::string> predicates,
               const std::vector<Untried>& untried,
               const std::optional<report::Result>& answered);
  Learnt latest() const;

 private:
  mutable std::mutex mutex_;
  Learnt learnt_;
};

/// Says in the result and in the text that there is no certificate for it.
void refuse_certificate(const std::string& reason, report::Result& result,
                        std::string& text);

/// In one line for people, who want to see the first predicates only.
std::string what_was_learnt(std::size_t iterations,
                            const std::vector<std::string>& predicates);

}  // namespace agon::cli
