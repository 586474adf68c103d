// SPDX-License-Identifier: Apache-2.0
/// Writes C whose places are those of an `.agon` file.
#pragma once

#include <string>
#include <string_view>

#include "spec/ast.h"
#include "support/source.h"

namespace agon::spec {

class CWriter {
 public:
  /// `source` has to outlive the writer.
  explicit CWriter(const support::Source& source) : source_(source) {}

  /// Text that was not written by the user.
  CWriter& operator<<(std::string_view text) {
    text_ += text;
    return *this;
  }
  /// What follows is shown at a place of the file.
  CWriter& at(Offset offset) { return at(source_, offset); }
  CWriter& at(const support::Source& source, Offset offset);
  /// Text of the user, at its place.
  CWriter& quote(const CText& text) { return quote(source_, text); }
  CWriter& quote(const support::Source& source, const CText& text);

  std::string take() { return std::move(text_); }

 private:
  const support::Source& source_;
  std::string text_;
};

}  // namespace agon::spec
