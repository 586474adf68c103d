// SPDX-License-Identifier: Apache-2.0
#include "support/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace agon::support {
namespace {

/// What comes from a pipe has to be held in memory, so it is bounded.
constexpr std::size_t kMaxPipedBytes = std::size_t{1} << 30;

[[noreturn]] void cannot_read(const std::string& path, int error) {
  throw InputError(
      fmt::format("cannot read '{}': {}", path, std::strerror(error)));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) cannot_read(path, errno);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { ::close(fd_); }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string read_stream(const std::string& path, int fd) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot_read(path, errno);
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > kMaxPipedBytes) {
      throw InputError(
          fmt::format("'{}' is not a regular file and yields more than 1 GiB; "
                      "save it to a file first",
                      path));
    }
  }
}

}  // namespace

Source::Source(std::string name, std::shared_ptr<const void> owner,
               std::string_view text)
    : name_(std::move(name)), owner_(std::move(owner)), text_(text) {}

Source Source::open(const std::string& path) {
  const FileDescriptor file(path);
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) cannot_read(path, errno);
  if (S_ISDIR(info.st_mode)) cannot_read(path, EISDIR);
  if (!S_ISREG(info.st_mode)) {
    return from_string(path, read_stream(path, file.get()));
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return from_string(path, "");
  void* const bytes =
      ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (bytes == MAP_FAILED) cannot_read(path, errno);
  ::madvise(bytes, size, MADV_SEQUENTIAL);
  std::shared_ptr<const void> owner(
      bytes, [size](void* mapped) { ::munmap(mapped, size); });
  return Source(path, std::move(owner),
                {static_cast<const char*>(bytes), size});
}

Source Source::from_string(std::string name, std::string text) {
  auto owned = std::make_shared<const std::string>(std::move(text));
  const std::string_view view = *owned;
  return Source(std::move(name), std::move(owned), view);
}

Source Source::join(std::vector<Part> parts) {
  AGON_ASSERT(!parts.empty());
  std::string text;
  for (const Part& part : parts) {
    AGON_ASSERT(part.edited.size() == part.original->text().size());
    text += part.edited;
    text += '\n';
  }
  Source result = from_string(parts.back().original->name(), std::move(text));
  result.parts_ = std::make_shared<const std::vector<Part>>(std::move(parts));
  return result;
}

const Source* Source::original(std::size_t& offset) const {
  if (parts_ == nullptr) return nullptr;
  offset = std::min(offset, text_.size() - 1);
  auto part = parts_->begin();
  while (offset > part->edited.size()) {
    offset -= part->edited.size() + 1;
    ++part;
  }
  return part->original.get();
}

Location Source::locate(std::size_t offset) const {
  if (const Source* const from = original(offset)) return from->locate(offset);
  offset = std::min(offset, text_.size());
  const std::string_view before = text_.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return {name_, static_cast<std::uint32_t>(line),
          static_cast<std::uint32_t>(offset - begin + 1)};
}

std::string_view Source::line_at(std::size_t offset) const {
  if (const Source* const from = original(offset)) return from->line_at(offset);
  offset = std::min(offset, text_.size());
  const std::size_t newline =
      offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  return text_.substr(begin, end - begin);
}

void Source::fail(std::size_t offset, const std::string& message) const {
  throw InputError(message, locate(offset), line_at(offset));
}

}  // namespace agon::support
