// SPDX-License-Identifier: Apache-2.0
#include "verify/readable.h"

#include <map>
#include <regex>
#include <set>

namespace agon::verify {
namespace {

/// An optional function, a name, an optional number.
const std::regex& full_name() {
  static const std::regex pattern(
      R"((?:[A-Za-z_]\w*::)?([A-Za-z_]\w*)(?:\.\d+)?(?!\w))");
  return pattern;
}

}  // namespace

std::string with_short_names(std::string_view text) {
  const std::string full(text);
  const std::sregex_iterator end;
  std::map<std::string, std::set<std::string>> meanings;
  for (std::sregex_iterator i(full.begin(), full.end(), full_name()); i != end;
       ++i) {
    meanings[i->str(1)].insert(i->str());
  }
  std::string result;
  auto rest = full.begin();
  for (std::sregex_iterator i(full.begin(), full.end(), full_name()); i != end;
       ++i) {
    result.append(rest, i->prefix().second);
    result += meanings[i->str(1)].size() == 1 ? i->str(1) : i->str();
    rest = i->suffix().first;
  }
  result.append(rest, full.end());
  return result;
}

}  // namespace agon::verify
