// SPDX-License-Identifier: Apache-2.0
#include "cli/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>

#include "support/error.h"

namespace agon::cli {
namespace {

using report::Work;

/// Keeps messages for the other process, which shows them in its own order.
class KeptLog final : public support::Log {
 public:
  explicit KeptLog(Work& work) : work_(work) {}

  void write(Level level, std::string_view message) override {
    if (level == Level::Progress) return;
    work_.messages.emplace_back(static_cast<int>(level), message);
  }

 private:
  Work& work_;
};

std::atomic<support::Context*> interruptible = nullptr;

void on_interrupt(int number) {
  ::signal(number, SIG_DFL);
  if (support::Context* const context = interruptible) context->request_stop();
}

Work work_on(const std::function<ExitCode(Session&)>& run, Session& parent) {
  Work work;
  KeptLog log(work);
  Session session(parent.context.limits(), &log, parent.context.seed());
  session.cache = std::move(parent.cache);
  session.report.command = parent.report.command;
  interruptible = &session.context;
  ::signal(SIGINT, on_interrupt);
  ::signal(SIGTERM, on_interrupt);
  ExitCode code = ExitCode::InternalError;
  try {
    code = run(session);
  } catch (const support::InputError& error) {
    code = ExitCode::BadInput;
    work.error = error.what();
    if (session.context.exhausted()) code = give_up(session, error.message());
  } catch (const std::bad_alloc&) {
    code = give_up(session, "out of memory");
  } catch (const std::exception& error) {
    work.error = fmt::format("internal error: {}", error.what());
  }
  interruptible = nullptr;
  work.exit_code = static_cast<int>(code);
  work.report = std::move(session.report);
  work.text = std::move(session.text);
  work.files = std::move(session.files);
  work.statistics = std::move(session.context.statistics());
  return work;
}

[[noreturn]] void do_work(const std::function<ExitCode(Session&)>& run,
                          Session& parent, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // Nobody would read what it finds.
  const std::string bytes = report::pack(work_on(run, parent));
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count = ::write(out, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  ::_exit(0);
}

}  // namespace

Worker::Worker(const std::function<ExitCode(Session&)>& run, Session& parent) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw support::InputError(
        fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  pid_ = ::fork();
  if (pid_ == 0) {
    ::close(ends[0]);
    do_work(run, parent, ends[1]);
  }
  ::close(ends[1]);
  fd_ = ends[0];
  if (pid_ < 0) {
    throw support::InputError(
        fmt::format("cannot start a process: {}", std::strerror(errno)));
  }
  const auto limit = parent.context.limits().time;
  if (limit.count() > 0) {
    constexpr std::chrono::seconds kGrace{10};
    deadline_ = std::chrono::steady_clock::now() + limit + limit / 2 + kGrace;
  }
}

Worker::~Worker() {
  if (fd_ >= 0) ::close(fd_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

bool Worker::receive() {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(fd_, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return false;
  if (count <= 0) return true;
  bytes_.append(buffer.data(), static_cast<std::size_t>(count));
  return false;
}

void Worker::interrupt() { ::kill(pid_, SIGTERM); }

void Worker::end_if_late() {
  if (was_late_ || !deadline_) return;
  if (std::chrono::steady_clock::now() < *deadline_) return;
  was_late_ = true;
  ::kill(pid_, SIGKILL);
}

Work Worker::finish() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (auto work = report::unpack_work(bytes_)) return std::move(*work);
  Work work;
  work.exit_code = static_cast<int>(ExitCode::InternalError);
  if (was_late_) {
    work.exit_code = static_cast<int>(ExitCode::Unknown);
    work.error = "it did not stop at its time limit";
  } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    work.exit_code = static_cast<int>(ExitCode::Unknown);
    work.error = "its process was killed, perhaps for lack of memory";
  } else if (WIFSIGNALED(status)) {
    work.error = fmt::format("internal error: its process was ended by {}",
                             ::strsignal(WTERMSIG(status)));
  } else {
    work.error = "internal error: its process gave no answer";
  }
  return work;
}

}  // namespace agon::cli
