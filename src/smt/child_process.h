// SPDX-License-Identifier: Apache-2.0
/// A program that is asked questions as S-expressions. Internal to the folder.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace agon::smt {

/// A running child with its standard input and output. Whatever it does (die,
/// hang, flood us), a call ends by its deadline; after a failed one the child
/// should be stopped.
class ChildProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  ChildProcess() = default;
  ~ChildProcess() { stop(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Starts a program that is looked for in the path. False with a failure().
  bool start(std::span<const std::string> command);
  bool running() const { return pid_ > 0; }

  bool write(std::string_view text, Deadline deadline);

  /// The next atom or balanced expression of the output.
  std::optional<std::string> read(Deadline deadline);

  /// From another thread: makes the call that is running fail.
  void interrupt() { interrupted_ = true; }

  /// Kills the child with all that it has started.
  void stop();

  /// Why the last call failed, for people.
  const std::string& failure() const { return failure_; }

 private:
  bool fail(std::string why);
  bool wait(bool to_write, Deadline deadline);
  bool receive();
  std::optional<std::string> take_expression();

  pid_t pid_ = -1;
  int input_ = -1;   ///< Where the child reads: a socket.
  int output_ = -1;  ///< Where it writes: a pipe.
  bool ended_ = false;
  std::string received_;
  std::size_t scanned_ = 0;  ///< How far `received_` was looked at.
  int depth_ = 0;            ///< Open parentheses there.
  char quote_ = 0;           ///< Inside of quotes, which; ';' in a comment.
  std::string failure_;
  std::atomic<bool> interrupted_ = false;
};

}  // namespace agon::smt
