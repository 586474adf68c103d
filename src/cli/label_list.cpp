// SPDX-License-Identifier: Apache-2.0
#include "cli/label_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "lts/label.h"
#include "support/error.h"

namespace agon::cli {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string unquoted(std::string_view entry, std::string_view list) {
  entry = trimmed(entry);
  if (entry.size() >= 2 && entry.front() == '"' &&
      entry.find('"', 1) == entry.size() - 1) {
    entry = entry.substr(1, entry.size() - 2);
  }
  if (entry.empty()) {
    throw support::InputError(
        fmt::format("there is an empty label in the list '{}'", list));
  }
  return std::string(entry);
}

}  // namespace

std::vector<std::string> split_labels(std::string_view list) {
  std::vector<std::string> entries;
  std::size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (c == ',' && depth == 0) {
      entries.push_back(unquoted(list.substr(begin, i - begin), list));
      begin = i + 1;
    }
  }
  if (quoted || depth > 0) {
    throw support::InputError(
        fmt::format("a {} is never closed in the list '{}'",
                    quoted ? "quote" : "bracket", list));
  }
  entries.push_back(unquoted(list.substr(begin), list));
  return entries;
}

bool matches_any(const std::string& name,
                 const std::vector<std::string>& entries) {
  return std::ranges::any_of(entries, [&](const std::string& entry) {
    return lts::matches_prefix(name, entry);
  });
}

}  // namespace agon::cli
