// SPDX-License-Identifier: Apache-2.0
/// The text of an input file, with offsets that turn into places and carets.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace agon::support {

/// An immutable text with a name. Files are mapped, not copied, so that a huge
/// one costs address space and not memory.
class Source {
 public:
  /// Opens a file. Throws InputError if it cannot be read.
  static Source open(const std::string& path);

  /// A text that is in memory already, under the name used in messages.
  static Source from_string(std::string name, std::string text);

  /// Several texts one after the other, each edited without changing its length
  /// or its line breaks. Places and lines are those of the original texts; the
  /// name is that of the last.
  struct Part {
    std::shared_ptr<const Source> original;
    std::string edited;
  };
  static Source join(std::vector<Part> parts);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  /// The place of a byte. `offset` may equal the size of the text.
  Location locate(std::size_t offset) const;

  /// The line that contains a byte, without its newline.
  std::string_view line_at(std::size_t offset) const;

  /// Throws an InputError whose caret points at `offset`.
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;

 private:
  Source(std::string name, std::shared_ptr<const void> owner,
         std::string_view text);

  /// The original that a byte of a joined text comes from, or null, and the
  /// offset in it.
  const Source* original(std::size_t& offset) const;

  std::string name_;
  std::shared_ptr<const std::vector<Part>> parts_;  // Of a joined text.
  std::shared_ptr<const void> owner_;
  std::string_view text_;
};

}  // namespace agon::support
