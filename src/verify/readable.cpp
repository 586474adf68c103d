// SPDX-License-Identifier: Apache-2.0
#include "verify/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
#include <unordered_map>

#include "term/substitute.h"

namespace agon::verify {
namespace {

/// An optional function, a name, an optional number. What performs the events
/// of a function is that function, for people.
const std::regex& full_name() {
  static const std::regex pattern(
      R"((?:([A-Za-z_]\w*)(?:\.\d+)?(?: with events)?::)?)"
      R"(([A-Za-z_]\w*)(?:\.\d+)?(?!\w))");
  return pattern;
}

/// How a variable can be called, shortest first.
std::array<std::string, 3> names_of(const std::smatch& found) {
  const std::string name = found.str(2);
  return {name, found[1].matched ? found.str(1) + "::" + name : name,
          found.str()};
}

}  // namespace

std::string with_short_names(std::string_view text) {
  const std::string full(text);
  const std::sregex_iterator begin(full.begin(), full.end(), full_name());
  const std::sregex_iterator end;
  std::map<std::string, std::set<std::string>> meanings;
  for (auto i = begin; i != end; ++i) {
    for (const std::string& name : names_of(*i))
      meanings[name].insert(i->str());
  }
  std::string result;
  auto rest = full.begin();
  for (auto i = begin; i != end; ++i) {
    const auto names = names_of(*i);
    const auto clear = std::ranges::find_if(
        names,
        [&](const std::string& name) { return meanings[name].size() == 1; });
    result.append(rest, i->prefix().second);
    result += clear != names.end() ? *clear : i->str();
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
  const bool is_unsigned = variable.type.valid()
                               ? !program.types[variable.type].is_signed
                               : width == 1;  // A truth value.
  if (!value.sort.is_bits() || width > 64 || is_unsigned) {
    return value.number.str();
  }
  const auto wide = static_cast<std::uint64_t>(value.number);
  const unsigned shift = 64 - width;
  return fmt::format("{}", static_cast<std::int64_t>(wide << shift) >> shift);
}

}  // namespace agon::verify
