// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/arguments.h"
#include "cli/html.h"
#include "cli/log.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "report/junit.h"
#include "report/sarif.h"
#include "support/error.h"
#include "support/limit_reason.h"
#include "support/utf8.h"
#include "support/watchdog.h"

namespace agon::cli {
namespace {

void write_stdout(std::string_view text) {
  const bool complete =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!complete || std::fflush(stdout) != 0) {
    throw support::InputError(fmt::format("cannot write to standard output: {}",
                                          std::strerror(errno)));
  }
}

/// One line for each verdict.
std::string verdicts(const Report& report) {
  std::string text;
  for (const Result& result : report.results) {
    if (!result.verdict) continue;
    text += fmt::format("{}: {}{}{}\n", result.target, result.spec,
                        result.spec.empty() ? "" : ": ",
                        to_string(*result.verdict));
  }
  return text;
}

/// What stdout is to show. Labels come from files, and must not be able to
/// command a terminal.
std::string shown(const Report& report, const std::string& all,
                  const CommonOptions& common) {
  std::string text = common.quiet ? verdicts(report) : all;
  text = support::printable(text.empty() ? all : text);
  if (is_terminal(STDOUT_FILENO)) text = folded(text, columns(STDOUT_FILENO));
  if (wants_colour(common.colour, STDOUT_FILENO)) text = coloured(text);
  return text;
}

/// Paths in reports are relative to the repository that this directory is a
/// part of, as code hosts want them.
std::string source_root() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  for (fs::path at = here; at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at.string();
  }
  return here.string();
}

void write_reports(const Session& session, const CommonOptions& common,
                   ExitCode code) {
  if (!common.sarif.empty()) {
    write_file(common.sarif,
               report::to_sarif(session.report,
                                {source_root(), static_cast<int>(code)}));
  }
  if (!common.junit.empty()) {
    write_file(common.junit, report::to_junit(session.report));
  }
}

/// Runs the command. A limit that stopped it is an answer and no bad input.
ExitCode run_command(const Invocation& invocation, Session& session) {
  const auto start = std::chrono::steady_clock::now();
  ExitCode code = ExitCode::Unknown;
  try {
    code = invocation.run(session);
  } catch (const support::InputError& error) {
    if (!session.context.exhausted()) throw;
    code = give_up(session, error.message());
  } catch (const std::bad_alloc&) {
    code = give_up(session, "out of memory");
  }
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  for (Result& result : session.report.results) {
    if (result.time_s == 0) result.time_s = time.count();
  }
  return code;
}

/// What an interrupt from the keyboard is to stop. A signal handler can be told
/// in no other way.
std::atomic<support::Context*> interruptible = nullptr;
std::atomic<bool> is_interrupted = false;

/// The first interrupt asks for an answer, the next one kills.
void on_interrupt(int signal) {
  std::signal(signal, SIG_DFL);
  is_interrupted = true;
  if (support::Context* const context = interruptible) context->request_stop();
}

void write_results(const CommonOptions& common, const Report& report,
                   const std::string& text,
                   const support::Statistics& statistics) {
  if (common.json != "-") write_stdout(text);
  if (common.json.empty()) return;
  const std::string json =
      to_json(report, common.statistics ? &statistics : nullptr);
  if (common.json == "-") {
    write_stdout(json);
  } else {
    write_file(common.json, json);
  }
}

/// Says `unknown`, after what was found before, and ends the process. This is
/// another thread than the one that works, and reads only what that published.
[[noreturn]] void end_at_once(const CommonOptions& common,
                              const LastWords& last_words,
                              std::chrono::steady_clock::time_point start) {
  ExitCode code = ExitCode::Unknown;
  try {
    const std::string reason =
        support::limit_reason(common.limits, start, is_interrupted)
            .value_or("a limit was reached");
    const Learnt learnt = last_words.latest();
    const auto [report, text] = last_report(learnt, reason);
    code = exit_code(report);
    write_results(common, report, shown(report, text, common),
                  learnt.statistics);
  } catch (...) {  // There is nobody to tell.
  }
  std::_Exit(static_cast<int>(code));
}

/// Runs the command, and no longer than the limits allow: what is deep in a
/// library, or was never made to be interrupted, does not notice them.
ExitCode run_within_limits(const Invocation& invocation, Session& session) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kGrace{700};
  const steady_clock::time_point start = steady_clock::now();
  std::optional<steady_clock::time_point> reached;
  const support::Watchdog last_resort(session.context, [&] {
    if (session.has_workers) return;  // Each has limits of its own.
    if (!session.context.must_end()) return;
    if (!reached) reached = steady_clock::now();
    if (steady_clock::now() - *reached < kGrace) return;
    end_at_once(invocation.common, session.last_words, start);
  });
  return run_command(invocation, session);
}

ExitCode run(const Invocation& invocation) {
  const CommonOptions& common = invocation.common;
  StderrLog log({common.quiet, common.limits.time});
  Session session(common.limits, &log, common.seed);
  session.report.command = invocation.command;
  publish(session);
  if (!common.cache.empty()) {
    session.cache =
        std::make_unique<Cache>(common.cache, common.decisive, common.detail);
  }
  interruptible = &session.context;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGUSR1, [](int) { request_snapshot(); });
  const ExitCode code = run_within_limits(invocation, session);
  interruptible = nullptr;

  log.stop();
  const support::Statistics& statistics = session.context.statistics();
  write_results(common, session.report,
                shown(session.report, session.text, common), statistics);
  write_reports(session, common, code);
  if (!common.html.empty()) write_html(common.html, session);
  if (common.statistics) {
    for (const auto& [name, value] : statistics) {
      write_stderr(fmt::format("{:<32} {}\n", name, value));
    }
  }
  return code;
}

/// If stderr is closed, its number would go to the next file that is opened,
/// and messages into that file.
void occupy_stderr() {
  if (::fcntl(STDERR_FILENO, F_GETFD) != -1) return;
  const int null = ::open("/dev/null", O_WRONLY);
  if (null == -1 || null == STDERR_FILENO) return;
  ::dup2(null, STDERR_FILENO);
  ::close(null);
}

ExitCode start(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto parsed = parse_arguments(words);
  if (const auto* invocation = std::get_if<Invocation>(&parsed)) {
    return run(*invocation);
  }
  const auto& explanation = std::get<Explanation>(parsed);
  if (explanation.code == ExitCode::Holds) {
    write_stdout(explanation.text);
  } else {
    write_stderr(explanation.text);
  }
  return explanation.code;
}

}  // namespace
}  // namespace agon::cli

int main(int argc, char** argv) {
  using agon::cli::ExitCode;
  ExitCode code = ExitCode::InternalError;
  agon::cli::occupy_stderr();
  // A violated invariant aborts; that is an internal error like any other.
  std::signal(SIGABRT, [](int) {
    std::_Exit(static_cast<int>(ExitCode::InternalError));
  });
  try {
    code = agon::cli::start(argc, argv);
  } catch (const agon::support::InputError& error) {
    agon::cli::write_stderr(
        agon::support::printable(fmt::format("{}\n", error.what())));
    code = ExitCode::BadInput;
  } catch (const std::bad_alloc&) {
    agon::cli::write_stderr("unknown: out of memory\n");
    code = ExitCode::Unknown;
  } catch (const std::exception& error) {
    agon::cli::write_stderr(agon::support::printable(
        fmt::format("agon: internal error: {}\n"
                    "This is a bug in agon; please report it with the input.\n",
                    error.what())));
  }
  return static_cast<int>(code);
}
