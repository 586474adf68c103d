// SPDX-License-Identifier: Apache-2.0
#include "cli/last_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace agon::cli {
namespace {

/// Makes `known` equal to `now`, of which it usually is the beginning.
template <class Sequence>
void catch_up(Sequence& known, const Sequence& now) {
  if (now.size() < known.size()) known.clear();
  known.insert(known.end(),
               now.begin() + static_cast<std::ptrdiff_t>(known.size()),
               now.end());
}

}  // namespace

void LastWords::publish(const report::Report& report, const std::string& text,
                        const support::Statistics& statistics,
                        const std::string& subject,
                        const std::string& compared_to, std::size_t iterations,
                        std::vector<std::string> predicates,
                        const std::vector<Untried>& untried,
                        const std::optional<report::Result>& answered) {
  const std::lock_guard lock(mutex_);
  learnt_.report.command = report.command;
  learnt_.report.inputs = report.inputs;
  learnt_.report.extra = report.extra;
  catch_up(learnt_.report.results, report.results);
  catch_up(learnt_.report.assumptions, report.assumptions);
  catch_up(learnt_.text, text);
  learnt_.statistics = statistics;
  learnt_.subject = subject;
  learnt_.compared_to = compared_to;
  learnt_.iterations = iterations;
  learnt_.predicates = std::move(predicates);
  learnt_.untried = untried;
  learnt_.answered = answered;
}

Learnt LastWords::latest() const {
  const std::lock_guard lock(mutex_);
  return learnt_;
}

void refuse_certificate(const std::string& reason, report::Result& result,
                        std::string& text) {
  text += fmt::format("  no certificate: {}\n", reason);
  result.extra.emplace_back("certificate", nullptr);
  result.extra.emplace_back("certificate_reason", reason);
}

namespace {

void add_unknown(const Learnt& learnt, const std::string& reason,
                 LastReport& last) {
  report::Result result;
  result.target = learnt.subject;
  result.spec = learnt.compared_to;
  result.verdict = support::Verdict::Unknown;
  result.reason = reason;
  result.iterations = learnt.iterations;
  result.predicates = learnt.predicates;
  last.report.results.push_back(std::move(result));
  last.text += fmt::format("unknown: {}\n", reason);
  if (!learnt.predicates.empty()) {
    last.text += fmt::format(
        "  {}\n", what_was_learnt(learnt.iterations, learnt.predicates));
  }
}

}  // namespace

LastReport last_report(const Learnt& learnt, const std::string& reason) {
  LastReport last{learnt.report, learnt.text};
  if (learnt.answered) {
    last.report.results.push_back(*learnt.answered);
    refuse_certificate(reason, last.report.results.back(), last.text);
  } else {
    add_unknown(learnt, reason, last);
  }
  for (const Untried& each : learnt.untried) {
    report::Result& left = last.report.results.emplace_back();
    left.target = each.target;
    left.spec = each.spec;
    left.verdict = support::Verdict::Unknown;
    left.reason = fmt::format("not tried: {}", reason);
    last.text += fmt::format("{}: {}: unknown ({})\n", each.target, each.spec,
                             left.reason);
  }
  return last;
}

std::string what_was_learnt(std::size_t iterations,
                            const std::vector<std::string>& predicates) {
  constexpr std::size_t kShown = 20;
  const std::size_t shown = std::min(predicates.size(), kShown);
  std::string text = fmt::format(
      "learnt in {} iterations: {}", iterations,
      fmt::join(predicates.begin(),
                predicates.begin() + static_cast<std::ptrdiff_t>(shown), "; "));
  if (shown < predicates.size()) {
    text += fmt::format("; and {} more", predicates.size() - shown);
  }
  return text;
}

}  // namespace agon::cli
