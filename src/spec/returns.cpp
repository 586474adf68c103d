// SPDX-License-Identifier: Apache-2.0
#include "spec/returns.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

// The bounds of the ranges cut the integers into cells inside of which the
// ranges cannot be told apart; cells that the same ranges contain are put
// together. Nothing is known of conditions in C, so that each of them cuts
// every cell in two. Classes that are empty for that reason do no harm: no
// value is ever found in them.

namespace agon::spec {
namespace {

using Kind = ReturnCondition::Kind;
using Range = std::pair<std::int64_t, std::int64_t>;

std::string range_text(const Range& range) {
  return range.first == range.second
             ? std::to_string(range.first)
             : fmt::format("{}..{}", range.first, range.second);
}

bool overlap(const ReturnCondition& a, const Range& b) {
  return a.low <= b.second && b.first <= a.high;
}

}  // namespace

std::string as_text(const ReturnCondition& condition) {
  switch (condition.kind) {
    case Kind::Any:
      return "1";
    case Kind::C:
      return condition.value.text;
    case Kind::Range:
      break;
  }
  if (condition.low == condition.high) {
    return fmt::format("result == {}", condition.low);
  }
  return fmt::format("result >= {} && result <= {}", condition.low,
                     condition.high);
}

bool ReturnClass::is_other() const {
  return std::ranges::find(meets, true) == meets.end();
}

ReturnClasses::ReturnClasses(std::vector<ReturnCondition> conditions,
                             std::size_t max)
    : conditions_(std::move(conditions)) {
  std::vector<Cell> now = cells();
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    if (conditions_[i].kind == Kind::Any) {
      for (Cell& cell : now) cell.meets[i] = true;
    }
    if (conditions_[i].kind != Kind::C) continue;
    const std::size_t count = now.size();
    if (count * 2 > max) {
      is_too_many_ = true;
      return;
    }
    for (std::size_t j = 0; j < count; ++j) {
      Cell inside = now[j];
      inside.meets[i] = true;
      now.push_back(std::move(inside));
    }
  }
  if (now.size() > max) {
    is_too_many_ = true;
    return;
  }
  for (Cell& cell : now) {
    classes_.push_back({"", std::move(cell.meets), std::move(cell.ranges)});
  }
  name_classes();
}

bool ReturnClasses::need_number() const {
  return std::ranges::any_of(conditions_, [](const ReturnCondition& each) {
    return each.kind == Kind::Range;
  });
}

std::vector<ReturnClasses::Cell> ReturnClasses::cells() const {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  std::set<std::int64_t> starts;  // Where a cell begins.
  for (const ReturnCondition& each : conditions_) {
    if (each.kind != Kind::Range) continue;
    starts.insert(each.low);
    if (each.high != kLast) starts.insert(each.high + 1);
  }
  std::map<std::vector<bool>, std::size_t> index;
  std::vector<Cell> result;
  const std::vector<bool> none(conditions_.size(), false);
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    const auto next = std::next(start);
    const Range range{*start, next == starts.end() ? kLast : *next - 1};
    std::vector<bool> meets = none;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      meets[i] =
          conditions_[i].kind == Kind::Range && overlap(conditions_[i], range);
    }
    if (meets == none) continue;
    const auto [known, is_new] = index.emplace(meets, result.size());
    if (is_new) result.push_back({std::move(meets), {}});
    result[known->second].ranges.push_back(range);
  }
  result.push_back({none, {}});  // Outside of all ranges.
  return result;
}

void ReturnClasses::name_classes() {
  find_numbers();
  // Classes that no number is in do not count.
  std::vector<std::size_t> parts(conditions_.size(), 0);
  std::vector<NumberSet> numbers;
  for (const ReturnClass& each : classes_) {
    numbers.push_back(numbers_in(literals(each)));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (each.meets[i] && !numbers.back().empty()) ++parts[i];
    }
  }
  std::set<std::string> taken;
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    ReturnClass& each = classes_[c];
    each.is_contradictory = numbers[c].empty();
    each.label = each.is_other() ? kOtherReturn : describe(each, numbers[c]);
    for (std::size_t i = parts.size(); i-- > 0;) {
      if (each.meets[i] && parts[i] == 1 && !numbers[c].empty()) {
        each.label = conditions_[i].written;
      }
    }
    while (!each.is_other() && !taken.insert(each.label).second) {
      each.label += '\'';  // Never two classes under one name.
    }
  }
}

/// As far as they are known: of a condition on something else, all.
void ReturnClasses::find_numbers() {
  numbers_.clear();
  for (const ReturnCondition& each : conditions_) {
    std::optional<NumberSet>& set = numbers_.emplace_back();
    if (each.kind == Kind::Range) set = NumberSet{{each.low, each.high}};
    if (each.kind == Kind::Any) set = complement({});
    if (each.kind == Kind::C) set = numbers_with(each.value.text);
  }
}

std::vector<ReturnClasses::Literal> ReturnClasses::literals(
    const ReturnClass& one) const {
  std::vector<Literal> result;
  for (const bool positive : {true, false}) {
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      if (one.meets[i] == positive && conditions_[i].kind != Kind::Any) {
        result.push_back({i, positive});
      }
    }
  }
  return result;
}

NumberSet ReturnClasses::numbers_in(const std::vector<Literal>& all) const {
  NumberSet result = complement({});
  for (const Literal& each : all) {
    const auto& set = numbers_[each.condition];
    if (!set) continue;
    result = intersection(result, each.positive ? *set : complement(*set));
  }
  return result;
}

std::string ReturnClasses::describe(const ReturnClass& one,
                                    const NumberSet& numbers) const {
  std::vector<Literal> left = literals(one);
  // What the others imply need not be said.
  for (std::size_t i = left.size(); i-- > 0;) {
    if (numbers.empty() || !numbers_[left[i].condition]) continue;
    std::vector<Literal> fewer = left;
    fewer.erase(fewer.begin() + static_cast<long>(i));
    if (numbers_in(fewer) == numbers) left = std::move(fewer);
  }
  const bool is_all_known = std::ranges::all_of(
      numbers_, [](const auto& set) { return set.has_value(); });
  constexpr Range kAll{std::numeric_limits<std::int64_t>::min(),
                       std::numeric_limits<std::int64_t>::max()};
  if (is_all_known && numbers.size() == 1 && numbers[0].first != kAll.first &&
      numbers[0].second != kAll.second) {
    return fmt::format("return[{}]", range_text(numbers[0]));
  }
  std::string text;
  for (const Literal& each : left) {
    if (!text.empty()) text += " && ";
    const std::string part = as_text(conditions_[each.condition]);
    const bool needs_parentheses =
        left.size() > 1 && part.find_first_of("|?,") != std::string::npos &&
        conditions_[each.condition].kind == Kind::C;
    if (!each.positive) {
      text += fmt::format("!({})", part);
    } else {
      text += needs_parentheses ? fmt::format("({})", part) : part;
    }
  }
  return text.empty() ? "return[_]" : fmt::format("return{{{}}}", text);
}

}  // namespace agon::spec
