// SPDX-License-Identifier: Apache-2.0
#include "support/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace agon::support {
namespace {

constexpr std::size_t kMaxLength = 64;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The edit distance of Levenshtein, blind to case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view name,
                         std::span<const std::string> known) {
  if (name.size() > kMaxLength) return "";
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > kMaxLength) continue;
    const std::size_t edits = distance(name, candidate);
    if (edits >= least) continue;
    least = edits;
    best = &candidate;
  }
  return best == nullptr ? "" : fmt::format("; did you mean '{}'?", *best);
}

}  // namespace agon::support
