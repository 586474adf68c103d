// SPDX-License-Identifier: Apache-2.0
#include "cli/batch.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <optional>

#include "cli/c_input.h"
#include "cli/summary.h"
#include "cli/worker.h"

namespace agon::cli {
namespace {

using report::Work;
using support::Verdict;

// A signal handler can be told in no other way.
std::atomic<bool> is_interrupted = false;

/// The first interrupt asks all jobs for an answer, the next one kills.
void on_interrupt(int number) {
  std::signal(number, SIG_DFL);
  is_interrupted = true;
}

class Batch {
 public:
  Batch(std::vector<Job> jobs, std::size_t at_once, Session& session)
      : jobs_(std::move(jobs)),
        at_once_(std::max<std::size_t>(at_once, 1)),
        session_(session),
        done_(jobs_.size()) {}

  ExitCode run() {
    const auto start = std::chrono::steady_clock::now();
    is_interrupted = false;
    session_.has_workers = true;
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    while (reported_ < jobs_.size()) {
      start_some();
      wait();
      stop_some();
      report_some();
    }
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    session_.text += summary(session_.report, time.count());
    return worst_;
  }

 private:
  void start_some() {
    while (running_.size() < at_once_ && next_ < jobs_.size() &&
           !is_interrupted) {
      running_.emplace(next_,
                       std::make_unique<Worker>(jobs_[next_].run, session_));
      ++next_;
      tell_progress();
    }
    if (!is_interrupted) return;
    for (; next_ < jobs_.size(); ++next_) {  // Never begun.
      Work work;
      work.exit_code = static_cast<int>(ExitCode::Unknown);
      work.error = "interrupted";
      done_[next_] = std::move(work);
    }
  }

  void tell_progress() {
    std::vector<std::string> names;
    for (const auto& [index, worker] : running_) {
      names.push_back(jobs_[index].target);
    }
    session_.context.progress(fmt::format("{} of {} targets decided; now: {}",
                                          finished_, jobs_.size(),
                                          fmt::join(names, ", ")));
  }

  void wait() {
    std::vector<pollfd> polled;
    for (const auto& [index, worker] : running_) {
      polled.push_back({worker->descriptor(), POLLIN, 0});
    }
    constexpr int kMilliseconds = 200;
    if (::poll(polled.data(), polled.size(), kMilliseconds) <= 0) return;
    std::size_t at = 0;
    for (auto it = running_.begin(); it != running_.end(); ++at) {
      if (polled[at].revents == 0 || !it->second->receive()) {
        ++it;
        continue;
      }
      done_[it->first] = it->second->finish();
      it = running_.erase(it);
      ++finished_;
      if (finished_ < jobs_.size()) tell_progress();
    }
  }

  void stop_some() {
    for (const auto& [index, worker] : running_) worker->end_if_late();
    if (!is_interrupted || was_told_) return;
    was_told_ = true;
    for (const auto& [index, worker] : running_) worker->interrupt();
  }

  void report_some() {
    for (; reported_ < jobs_.size() && done_[reported_]; ++reported_) {
      report(jobs_[reported_], std::move(*done_[reported_]));
    }
  }

  void report(const Job& job, Work work) {
    using Level = support::Log::Level;
    for (const auto& [level, message] : work.messages) {
      if (level == static_cast<int>(Level::Note)) {
        session_.context.note(message);
      } else {
        session_.context.warn(message);
      }
    }
    const auto code = static_cast<ExitCode>(work.exit_code);
    worst_ = worse(worst_, code);
    session_.text += work.text;
    for (const auto& [name, value] : work.statistics) {
      session_.context.statistics()[name] += value;
    }
    for (std::string& file : work.files) {
      if (std::ranges::count(session_.files, file) > 0) continue;
      session_.files.push_back(std::move(file));
    }
    if (!work.error.empty()) fail(job, code, work);
    for (Result& result : work.report.results) {
      if (result.spec.empty()) result.spec = job.spec;
      result.extra.emplace_back("spec_file", job.spec);
      if (result.counterexample) result.inputs = work.report.inputs;
      session_.report.results.push_back(std::move(result));
    }
    for (auto& assumption : work.report.assumptions) {
      add_assumption(std::move(assumption), session_.report);
    }
  }

  /// What could not be decided has a result, too.
  void fail(const Job& job, ExitCode code, Work& work) {
    session_.print("{}: {}: {}\n", job.target,
                   code == ExitCode::BadInput ? "bad input" : "unknown",
                   work.error);
    if (!work.report.results.empty()) return;
    Result& result = work.report.results.emplace_back();
    result.target = job.target;
    result.verdict = Verdict::Unknown;
    result.file = job.spec;
    result.line = 1;
    result.reason =
        code == ExitCode::BadInput ? "bad input: " + work.error : work.error;
  }

  std::vector<Job> jobs_;
  std::size_t at_once_;
  Session& session_;
  std::vector<std::optional<Work>> done_;
  std::map<std::size_t, std::unique_ptr<Worker>> running_;
  std::size_t next_ = 0;
  std::size_t finished_ = 0;
  std::size_t reported_ = 0;
  bool was_told_ = false;
  ExitCode worst_ = ExitCode::Holds;
};

}  // namespace

ExitCode run_batch(std::vector<Job> jobs, std::size_t jobs_at_once,
                   Session& session) {
  return Batch(std::move(jobs), jobs_at_once, session).run();
}

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array kOrder = {ExitCode::Violated, ExitCode::InternalError,
                                 ExitCode::BadInput, ExitCode::Unknown};
  for (const ExitCode code : kOrder) {
    if (a == code || b == code) return code;
  }
  return ExitCode::Holds;
}

}  // namespace agon::cli
