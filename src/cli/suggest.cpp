// SPDX-License-Identifier: Apache-2.0
#include "cli/suggest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace agon::cli {
namespace {

/// The number of letters to insert, delete or replace.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t replaced = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word,
                    const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return "";
  std::size_t best = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::string result;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

}  // namespace agon::cli
