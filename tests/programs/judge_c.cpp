// SPDX-License-Identifier: Apache-2.0
/// agon-certify for many certificates: a line of stdin holds the arguments,
/// with tabs between them; the answer is a line with the exit code and the
/// number of bytes that follow, which are the output. Each is judged by a
/// process of its own, so that nothing is left from the one before; what takes
/// time is to start the program.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <sstream>

// The program itself, whose parts are not to be seen from outside.
#define main certify_main
#include "certify/main.cpp"
#undef main

namespace {

int judge(std::vector<std::string> words) {
  words.insert(words.begin(), "agon-certify");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return certify_main(static_cast<int>(arguments.size()), arguments.data());
}

std::string everything(int fd) {
  std::string text;
  char bytes[4096];
  for (ssize_t n = 0; (n = read(fd, bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<std::size_t>(n));
  }
  return text;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> words;
    std::istringstream source(line);
    for (std::string word; std::getline(source, word, '\t');) {
      words.push_back(word);
    }
    int ends[2];
    if (pipe(ends) != 0) return 1;
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      close(ends[0]);
      close(ends[1]);
      const int code = judge(words);
      std::fflush(nullptr);
      _exit(code);
    }
    close(ends[1]);
    const std::string text = everything(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    std::cout << (WIFEXITED(status) ? WEXITSTATUS(status) : 99) << ' '
              << text.size() << '\n'
              << text << std::flush;
  }
  return 0;
}
