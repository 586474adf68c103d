// SPDX-License-Identifier: Apache-2.0
#include "spec/generate_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace agon::spec {

std::string literal(std::int64_t value) {
  if (value == std::numeric_limits<std::int64_t>::min()) {
    return "(-9223372036854775807ll - 1)";
  }
  return value < 0 ? fmt::format("({})", value) : std::to_string(value);
}

std::string type_name(const LineToWrite& line) {
  return line.description.routine.is_void
             ? "void"
             : fmt::format("__agon_type_{}", line.number);
}

std::string number_type(const LineToWrite& line) {
  return fmt::format("__agon_number_{}", line.number);
}

void head(CWriter& out, const LineToWrite& line, const std::string& function,
          Result result) {
  out << "\n" << (result == Result::None ? "void" : type_name(line)) << " ";
  out.at(line.description.routine.name_offset) << function << "(";
  const CText& parameters = line.description.routine.parameters;
  if (line.description.routine.names.empty()) {
    out << "void";
  } else {
    out.quote(parameters);
  }
  out << ") ";
}

void guards(CWriter& out, const LineToWrite& line) {
  const auto& arms = line.description.arms;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (!arms[i].guard) continue;
    out << fmt::format(" const int __agon_g{} = !!(", i);
    out.quote(*arms[i].guard) << ");";
  }
}

void number_checks(CWriter& out, const std::string& type,
                   const std::string& number, Offset place,
                   const std::vector<ReturnCondition>& conditions) {
  const auto is_range = [](const ReturnCondition& each) {
    return each.kind == ReturnCondition::Kind::Range;
  };
  if (!std::ranges::any_of(conditions, is_range)) return;
  // 5 is what the compiler calls a pointer.
  out.at(place) << fmt::format(
      "typedef __typeof__(__builtin_choose_expr(__builtin_classify_type(*({0} "
      "*)0) == 5, 0l, *({0} *)0)) {1};",
      type, number);
  for (const ReturnCondition& each : conditions) {
    if (!is_range(each)) continue;
    for (const std::int64_t bound : std::set{each.low, each.high}) {
      out << " _Static_assert(";
      out.at(place) << fmt::format(
          "({0}){1} == {1} && (({0}){1} < 0) == ({1} < 0), "
          "\"a result of this type is never {2}, as '{3}' says\");",
          number, literal(bound), bound, each.written);
    }
  }
}

}  // namespace agon::spec
