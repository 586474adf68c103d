// SPDX-License-Identifier: Apache-2.0
#include "cli/graphviz.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include "cli/output.h"
#include "support/error.h"

namespace agon::cli {
namespace {

using support::InputError;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// The text as an anonymous file that a child can read from its start.
File as_file(const std::string& text) {
  File file(std::tmpfile());
  if (!file ||
      std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0) {
    throw InputError(
        fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  }
  std::rewind(file.get());
  return file;
}

/// Starts `dot -Tsvg` without a shell, reading and writing the given files.
pid_t start_dot(int input, int output, const std::string& path) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  char program[] = "dot";
  char format[] = "-Tsvg";
  char* const arguments[] = {program, format, nullptr};
  pid_t child = -1;
  const int error =
      ::posix_spawnp(&child, program, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw InputError(fmt::format(
        "cannot draw '{}': Graphviz's program 'dot' was not found; install the "
        "package graphviz, or write a .dot file instead",
        path));
  }
  if (error != 0) {
    throw InputError(fmt::format("cannot draw '{}': cannot start 'dot': {}",
                                 path, std::strerror(error)));
  }
  return child;
}

/// Waits for the child, and ends it if a limit is reached.
int wait_for(pid_t child, support::Context& context) {
  int status = 0;
  for (;;) {
    const pid_t done = ::waitpid(child, &status, WNOHANG);
    if (done == child) return status;
    if (done < 0 && errno != EINTR) return -1;
    if (context.must_stop()) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      throw InputError("Graphviz did not finish within the time limit");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

void draw_svg(const std::string& path, const std::string& text,
              support::Context& context) {
  OutputFile output(path);
  const File input = as_file(text);
  const pid_t child =
      start_dot(::fileno(input.get()), output.descriptor(), path);
  const int status = wait_for(child, context);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw InputError(fmt::format("Graphviz failed to draw '{}'", path));
  }
  output.commit();
}

}  // namespace agon::cli
