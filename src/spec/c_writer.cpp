// SPDX-License-Identifier: Apache-2.0
#include "spec/c_writer.h"

#include <fmt/format.h>

#include "ir/fragment.h"

namespace agon::spec {

CWriter& CWriter::at(const support::Source& source, Offset offset) {
  const support::Location place = source.locate(offset);
  std::string name;
  for (const char c : place.file) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  text_ +=
      fmt::format("\n#line {} \"{}{}\"\n{}", place.line, ir::Fragment::kMark,
                  name, std::string(place.column - 1, ' '));
  return *this;
}

CWriter& CWriter::quote(const support::Source& source, const CText& text) {
  at(source, text.offset);
  text_ += text.text;
  // The text may end in a comment. Where it lacks something, what follows is
  // unexpected.
  return at(source, text.offset + static_cast<Offset>(text.text.size()));
}

}  // namespace agon::spec
