// SPDX-License-Identifier: Apache-2.0
#include "spec/return_labels.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "lts/label.h"
#include "spec/number_condition.h"
#include "spec/parser.h"

namespace agon::spec {
namespace {

using Kind = ReturnCondition::Kind;

constexpr std::string_view kReturn = "return";

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return {};
  return value;
}

/// Where the word `return` stands in `x.y.return[0]`; npos if it does not.
std::size_t find_return(const std::string& label) {
  for (std::size_t at = 0; at != std::string::npos;) {
    if (lts::matches_prefix(std::string_view(label).substr(at), kReturn)) {
      return at;
    }
    at = label.find('.', at);
    if (at != std::string::npos) ++at;
  }
  return std::string::npos;
}

/// The numbers that a condition holds for, where the type of the result does
/// not matter to that: it does to conditions with negative numbers.
std::optional<NumberSet> numbers_of(const ReturnCondition& condition) {
  if (condition.kind == Kind::Range) return {{{condition.low, condition.high}}};
  if (condition.kind == Kind::Any) return std::nullopt;
  if (condition.value.text.find('-') != std::string::npos) return std::nullopt;
  return numbers_with(condition.value.text);
}

}  // namespace

std::optional<ReturnCondition> read_return(
    const std::string& label, const WrittenConditions& conditions) {
  ReturnCondition result;
  result.written = label == kReturn ? "return" : "return[_]";
  if (label == kReturn || label == kAnyReturn) return result;
  const std::string_view rest =
      std::string_view(label).substr(kReturn.size() + 1);
  if (const auto known = conditions.find(std::string(rest));
      known != conditions.end()) {
    result.kind = Kind::C;
    result.value = known->second;
    result.written = fmt::format("return{{{}}}", known->second.text);
    return result;
  }
  const std::size_t dots = rest.find("..");
  const auto low = number(rest.substr(0, dots));
  const auto high =
      dots == std::string_view::npos ? low : number(rest.substr(dots + 2));
  if (!low || !high) return std::nullopt;
  result.kind = Kind::Range;
  result.low = *low;
  result.high = *high;
  result.written = fmt::format("return[{}]", rest);
  return result;
}

bool is_return_of_component(const std::string& label) {
  constexpr std::string_view kPart = ".return";
  const std::size_t at = label.find(kPart);
  if (at == std::string::npos) return false;
  const std::size_t end = at + kPart.size();
  return end == label.size() || label[end] == '.' || label[end] == '[';
}

bool ReturnMeanings::is_several(const std::string& label) const {
  const std::size_t at = find_return(label);
  if (at == std::string::npos) return false;
  const auto condition = read_return(label.substr(at), conditions_);
  return condition &&
         (condition->kind != Kind::Range || condition->low < condition->high);
}

bool ReturnMeanings::overlap(const std::string& a, const std::string& b) const {
  const std::size_t at_a = find_return(a);
  const std::size_t at_b = find_return(b);
  if (at_a == std::string::npos || a.substr(0, at_a) != b.substr(0, at_b)) {
    return false;
  }
  const auto one = read_return(a.substr(at_a), conditions_);
  const auto other = read_return(b.substr(at_b), conditions_);
  if (!one || !other) return false;
  // Two conditions in C may be about something else than integers.
  if (one->kind == Kind::C && other->kind == Kind::C) return true;
  const auto numbers = numbers_of(*one);
  const auto others = numbers_of(*other);
  return !numbers || !others || !intersection(*numbers, *others).empty();
}

/// The dots in `return.0..3` do not make `return.0` a prefix.
bool ReturnMeanings::includes(const std::string& name,
                              const std::string& label) const {
  const std::size_t at = find_return(label);
  const bool ends_inside =
      at != std::string::npos && name.size() > at + kReturn.size();
  return name == label || (!ends_inside && lts::matches_prefix(label, name));
}

bool ReturnMeanings::keeps_meaning(const std::string& label,
                                   const std::string& old_prefix,
                                   const std::string& new_prefix) const {
  const std::size_t at = find_return(label);
  if (at == std::string::npos || old_prefix.size() <= at) return true;
  const std::size_t fresh = find_return(new_prefix);
  return fresh != std::string::npos &&
         label.substr(at, old_prefix.size() - at) == new_prefix.substr(fresh);
}

std::string ReturnMeanings::written(const std::string& label) const {
  const std::size_t at = find_return(label);
  if (at == std::string::npos) return label;
  const auto condition = read_return(label.substr(at), conditions_);
  return condition ? label.substr(0, at) + condition->written : label;
}

}  // namespace agon::spec
