// SPDX-License-Identifier: Apache-2.0
#include "spec/texts_in_c.h"

#include <fmt/format.h>

#include "spec/scanner.h"

namespace agon::spec {

std::vector<CText> texts_in_c(const File& file) {
  std::vector<CText> result;
  const auto add = [&](const std::optional<CText>& text) {
    if (text) result.push_back(*text);
  };
  for (const Description& def : file.descriptions) {
    for (const Arm& arm : def.arms) add(arm.guard);
    for (const Modified& item : def.modifies) {
      add(item.place);
      add(item.low);
      add(item.high);
    }
  }
  for (const EventDef& event : file.events) add(event.condition);
  for (const ProgramDef& program : file.programs) {
    for (const CText& guard : program.guards) add(guard);
  }
  return result;
}

void refuse_calls(const support::Source& source, const CText& text,
                  const std::set<std::string>& routines) {
  Scanner scanner(source, text.offset);
  const std::size_t end = text.offset + text.text.size();
  bool is_member = false;
  while (scanner.skip_space(), scanner.at() < end) {
    const std::size_t begin = scanner.at();
    const std::string word(scanner.word());
    const bool is_arrow = scanner.rest().starts_with("->");
    scanner.step();
    if (is_arrow) scanner.step();
    scanner.skip_space();
    if (!is_member && scanner.peek() == '(' && scanner.at() < end &&
        routines.contains(word)) {
      scanner.fail(begin, fmt::format("'{}' performs actions, which what a "
                                      "specification says in C must not",
                                      word));
    }
    is_member = is_arrow || source.text()[begin] == '.';
  }
}

}  // namespace agon::spec
