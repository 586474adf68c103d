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
#include "support/utf8.h"

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
std::string shown(const Session& session, const CommonOptions& common) {
  std::string text = common.quiet ? verdicts(session.report) : session.text;
  text = support::printable(text.empty() ? session.text : text);
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

/// The first interrupt asks for an answer, the next one kills.
void on_interrupt(int signal) {
  std::signal(signal, SIG_DFL);
  if (support::Context* const context = interruptible) context->request_stop();
}

ExitCode run(const Invocation& invocation) {
  const CommonOptions& common = invocation.common;
  StderrLog log({common.quiet, common.limits.time});
  Session session(common.limits, &log, common.seed);
  session.report.command = invocation.command;
  if (!common.cache.empty()) {
    session.cache = std::make_unique<Cache>(common.cache, common.decisive);
  }
  interruptible = &session.context;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGUSR1, [](int) { request_snapshot(); });
  const ExitCode code = run_command(invocation, session);
  interruptible = nullptr;

  const support::Statistics& statistics = session.context.statistics();
  log.stop();
  if (common.json != "-") write_stdout(shown(session, common));
  if (!common.json.empty()) {
    const std::string json =
        to_json(session.report, common.statistics ? &statistics : nullptr);
    if (common.json == "-") {
      write_stdout(json);
    } else {
      write_file(common.json, json);
    }
  }
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
    agon::cli::write_stderr(
        fmt::format("agon: internal error: {}\n"
                    "This is a bug in agon; please report it with the input.\n",
                    error.what()));
  }
  return static_cast<int>(code);
}
