// SPDX-License-Identifier: Apache-2.0
#include "verify/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <unordered_map>

#include "term/substitute.h"

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

std::string formula_text(term::Term formula, const term::CStyle& style) {
  constexpr std::size_t kMostParts = 2000;
  std::unordered_map<term::Term, std::size_t> parts;
  term::visit_subterms(formula, [&](term::Term t) {
    std::size_t sum = 1;
    for (const term::Term operand : t.operands()) sum += parts.at(operand);
    parts[t] = std::min(sum, kMostParts + 1);
  });
  if (parts.at(formula) <= kMostParts) return term::to_c(formula, style);
  return fmt::format("/* a formula of more than {} parts */", kMostParts);
}

std::string number_text(const ir::Program& program,
                        const ir::Variable& variable,
                        const term::Value& value) {
  const unsigned width = value.sort.width;
  const bool is_unsigned =
      variable.type.valid() && !program.types[variable.type].is_signed;
  if (!value.sort.is_bits() || width > 64 || is_unsigned) {
    return value.number.str();
  }
  const auto wide = static_cast<std::uint64_t>(value.number);
  const unsigned shift = 64 - width;
  return fmt::format("{}", static_cast<std::int64_t>(wide << shift) >> shift);
}

}  // namespace agon::verify
