// SPDX-License-Identifier: Apache-2.0
/// Files that are written whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "lts/lts.h"
#include "support/context.h"

namespace agon::cli {

/// A file that appears under its name when it is committed. Until then it has
/// a temporary name beside it, and vanishes if it is never committed. What is
/// not a regular file, such as /dev/stdout, is written to directly.
///
/// Throws InputError, naming the file, where the system refuses.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  int descriptor() const { return fd_; }
  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string temporary_;  // Empty if there is none to remove.
  int fd_ = -1;
};

void write_file(const std::string& path, std::string_view text);

/// The file name's extension with its dot, in lower case.
std::string extension(const std::string& path);

/// Throws InputError unless a system can be written under that name. Commands
/// call it before they start to work.
void check_system_output(const std::string& path);

/// Writes `.aut` or `.dot`, and notes what the format has no room for.
void write_system(const std::string& path, const lts::Lts& lts,
                  support::Context& context);

}  // namespace agon::cli
