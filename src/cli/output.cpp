// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "lts/aut.h"
#include "lts/dot.h"
#include "support/error.h"

namespace agon::cli {
namespace {

using support::InputError;

/// Where a write really goes: renaming must not replace a symbolic link.
std::string resolved(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

/// The mode that a file created in the ordinary way would have.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return static_cast<mode_t>(0666 & ~mask);
}

std::size_t count_unused_labels(const lts::Lts& lts) {
  std::vector<bool> used(lts.labels()->size(), false);
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    for (const auto& t : lts.out(lts::State::at(i))) {
      used[t.label.index()] = true;
    }
  }
  return static_cast<std::size_t>(std::ranges::count_if(
      lts.alphabet(), [&](lts::Label l) { return !used[l.index()]; }));
}

void note_losses(const std::string& path, const lts::Lts& lts,
                 support::Context& context) {
  const lts::LtsInfo info = lts::info(lts);
  if (info.terminated > 0) {
    context.note(fmt::format(
        "{}: .aut cannot tell END from STOP; {} END state{} become{} STOP",
        path, info.terminated, info.terminated == 1 ? "" : "s",
        info.terminated == 1 ? "s" : ""));
  }
  if (lts.kind(lts.initial()) == lts::StateKind::Error) {
    context.note(fmt::format(
        "{}: .aut cannot start in ERROR; the initial state becomes STOP",
        path));
  }
  if (const std::size_t unused = count_unused_labels(lts); unused > 0) {
    context.note(fmt::format(
        "{}: .aut has no room for the {} label{} of the alphabet that no "
        "transition carries; compositions with the file may differ",
        path, unused, unused == 1 ? "" : "s"));
  }
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(resolved(path)) {
  struct stat info{};
  if (::stat(path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail(errno);
    return;
  }
  temporary_ = path_ + ".XXXXXX";
  fd_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail(error);
  }
  ::fchmod(fd_, default_mode());
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void OutputFile::commit() {
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void OutputFile::fail(int error) const {
  throw InputError(
      fmt::format("cannot write '{}': {}", path_, std::strerror(error)));
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

std::string extension(const std::string& path) {
  std::string result = std::filesystem::path(path).extension().string();
  for (char& c : result) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

void check_system_output(const std::string& path) {
  const std::string kind = extension(path);
  if (kind == ".aut" || kind == ".dot") return;
  if (kind == ".lts") {
    throw InputError(fmt::format(
        "cannot write '{}': FSP is read but not written; name a .aut or .dot "
        "file",
        path));
  }
  if (kind == ".svg") {
    throw InputError(fmt::format(
        "cannot write '{}' here: pictures are made by 'agon lts draw'", path));
  }
  throw InputError(fmt::format(
      "cannot tell the format of '{}' from its name: it should end in .aut or "
      ".dot",
      path));
}

void write_system(const std::string& path, const lts::Lts& lts,
                  support::Context& context) {
  check_system_output(path);
  if (extension(path) == ".dot") {
    write_file(path, lts::write_dot(lts));
    return;
  }
  note_losses(path, lts, context);
  write_file(path, lts::write_aut(lts));
}

}  // namespace agon::cli
