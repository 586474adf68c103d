// SPDX-License-Identifier: Apache-2.0
#include "smt/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

#include "support/error.h"

extern char** environ;

namespace agon::smt {
namespace {

// Nobody answers at such length, except by mistake.
constexpr std::size_t kMostReceived = std::size_t{256} << 20;

void close_if_open(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// What the child gets instead of our descriptors, signals and process group.
class SpawnSetup {
 public:
  SpawnSetup(int input, int output) {
    AGON_ASSERT(posix_spawn_file_actions_init(&files_) == 0);
    AGON_ASSERT(posix_spawnattr_init(&attributes_) == 0);
    posix_spawn_file_actions_adddup2(&files_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files_, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK |
                                               POSIX_SPAWN_SETSIGDEF |
                                               POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace

bool ChildProcess::fail(std::string why) {
  failure_ = std::move(why);
  return false;
}

// The child reads from a socket instead of a pipe, because writing to a socket
// that nobody reads can be told to be an error instead of a signal.
bool ChildProcess::start(std::span<const std::string> command) {
  AGON_ASSERT(!running() && !command.empty());
  std::array<int, 2> sockets{-1, -1};
  std::array<int, 2> pipes{-1, -1};
  int error = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0 ||
      pipe2(pipes.data(), O_CLOEXEC) != 0) {
    error = errno;
  } else {
    std::vector<std::string> words(command.begin(), command.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const SpawnSetup setup(sockets[1], pipes[1]);
    error = posix_spawnp(&pid_, arguments[0], setup.files(), setup.attributes(),
                         arguments.data(), environ);
  }
  close_if_open(sockets[1]);
  close_if_open(pipes[1]);
  input_ = sockets[0];
  output_ = pipes[0];
  if (error != 0) {
    pid_ = -1;
    stop();
    return fail("cannot start " + command[0] + ": " + std::strerror(error));
  }
  fcntl(output_, F_SETFL, O_NONBLOCK);
  return true;
}

void ChildProcess::stop() {
  close_if_open(input_);
  close_if_open(output_);
  if (pid_ > 0) {
    // The group may not exist yet, or be gone already.
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  ended_ = false;
  received_.clear();
  scanned_ = 0;
  depth_ = 0;
  quote_ = 0;
}

/// Waits until something can be read or, if asked for, written.
bool ChildProcess::wait(bool to_write, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return fail("no answer in time");
    std::array<pollfd, 2> polled{pollfd{output_, POLLIN, 0},
                                 pollfd{to_write ? input_ : -1, POLLOUT, 0}};
    if (interrupted_.exchange(false)) return fail("interrupted");
    const auto most = std::chrono::milliseconds(100);
    const int ready = poll(polled.data(), polled.size(),
                           static_cast<int>(std::min(left, most).count()));
    if (ready < 0 && errno != EINTR) {
      return fail(std::string("poll: ") + std::strerror(errno));
    }
    if (ready <= 0) continue;
    if (polled[0].revents != 0 && !receive()) return false;
    return true;
  }
}

bool ChildProcess::receive() {
  std::array<char, 65536> buffer;
  const ssize_t size = ::read(output_, buffer.data(), buffer.size());
  if (size > 0) {
    received_.append(buffer.data(), static_cast<std::size_t>(size));
    return received_.size() <= kMostReceived || fail("endless output");
  }
  if (size == 0) ended_ = true;
  return size < 0 && (errno == EAGAIN || errno == EINTR)
             ? true
             : ended_ || fail(std::string("read: ") + std::strerror(errno));
}

bool ChildProcess::write(std::string_view text, Deadline deadline) {
  AGON_ASSERT(running());
  while (!text.empty()) {
    if (ended_) return fail("the solver ended");
    const ssize_t size =
        send(input_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size > 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
    } else if (size < 0 && errno != EAGAIN && errno != EINTR) {
      return fail("the solver does not listen: " +
                  std::string(std::strerror(errno)));
    } else if (!wait(true, deadline)) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> ChildProcess::read(Deadline deadline) {
  AGON_ASSERT(running());
  for (;;) {
    if (std::optional<std::string> expression = take_expression()) {
      return expression;
    }
    if (ended_) {
      fail("the solver ended");
      return std::nullopt;
    }
    if (!wait(false, deadline)) return std::nullopt;
  }
}

std::optional<std::string> ChildProcess::take_expression() {
  const auto take = [this](std::size_t end) {
    std::string expression = received_.substr(0, end);
    received_.erase(0, end);
    scanned_ = 0;
    depth_ = 0;
    expression.erase(0, expression.find_first_not_of(" \n\t\r"));
    return expression;
  };
  bool inside_atom =
      scanned_ > 0 && depth_ == 0 && !is_space(received_[scanned_ - 1]);
  for (; scanned_ < received_.size(); ++scanned_) {
    const char c = received_[scanned_];
    if (quote_ != 0) {
      if (c == (quote_ == ';' ? '\n' : quote_)) quote_ = 0;
    } else if (c == '"' || c == '|' || c == ';') {
      quote_ = c;
      inside_atom |= c != ';';
    } else if (depth_ == 0 && inside_atom && (is_space(c) || c == '(')) {
      return take(scanned_);
    } else if (c == '(') {
      ++depth_;
    } else if (c == ')') {
      if (--depth_ <= 0) return take(scanned_ + 1);
    } else if (depth_ == 0 && !is_space(c)) {
      inside_atom = true;
    }
  }
  if (ended_ && inside_atom && quote_ == 0) return take(received_.size());
  return std::nullopt;
}

}  // namespace agon::smt
