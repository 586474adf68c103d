// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "fsp/evaluate.h"
#include "support/suggest.h"

namespace agon::fsp {
namespace {

constexpr std::size_t kMaxLabelBytes = 4096;
constexpr std::uint32_t kMaxVariables = 500;
/// How many bytes of a label count as much as a state.
constexpr std::size_t kBytesPerUnit = 64;

}  // namespace

/// What one part of a label may be.
struct Evaluator::Alternatives {
  enum class Kind { Fixed, Late, Range, List };
  Kind kind = Kind::Fixed;
  const LabelPart* part = nullptr;
  std::string text;                // Of Fixed.
  std::int64_t low = 0;            // Of Range.
  std::int64_t high = 0;           // Of Range.
  std::vector<std::string> items;  // Of List.

  std::uint64_t count() const {
    if (kind == Kind::List) return items.size();
    if (kind != Kind::Range) return 1;
    // The bounds may be the least and the greatest number, so the width is
    // computed without signs, and capped.
    const std::uint64_t width =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return width == std::numeric_limits<std::uint64_t>::max() ? width
                                                              : width + 1;
  }
};

std::vector<BoundLabel> Evaluator::expand(const Labels& labels,
                                          const Scope& scope) const {
  check_variables(labels, scope);
  std::vector<Alternatives> parts;
  std::uint64_t count = 1;
  for (const LabelPart& part : labels.parts) {
    parts.push_back(alternatives(part, scope));
    if (__builtin_mul_overflow(count, parts.back().count(), &count) ||
        count > budget_.left()) {
      budget_.too_large(labels.offset);
    }
  }
  return product(labels, parts, scope);
}

/// Enumerates the combinations depth-first in one buffer. There is no recursion
/// here, because labels may nest in the indices of labels and be long as well.
std::vector<BoundLabel> Evaluator::product(
    const Labels& labels, const std::vector<Alternatives>& parts,
    const Scope& scope) const {
  struct Level {
    std::uint64_t choice = 0;
    std::size_t text_size = 0;
    Scope scope;
  };
  std::vector<BoundLabel> result;
  std::vector<Level> levels{{0, 0, scope}};
  std::string text;
  while (!levels.empty()) {
    const std::size_t depth = levels.size() - 1;
    Level& level = levels.back();
    if (depth == parts.size()) {
      budget_.charge(1 + text.size() / kBytesPerUnit, labels.offset);
      result.push_back({text, level.scope});
    }
    if (depth == parts.size() || level.choice == parts[depth].count()) {
      levels.pop_back();
      continue;
    }
    BoundLabel part = choose(parts[depth], level.choice++, level.scope);
    text.resize(level.text_size);
    if (depth > 0) text += '.';
    text += part.text;
    if (parts.size() > 1 && part.text == "tau") {
      fail(parts[depth].part->offset,
           "'tau' cannot be a part of a longer label");
    }
    if (text.size() > kMaxLabelBytes) {
      fail(labels.offset,
           fmt::format("a label is longer than {} bytes", kMaxLabelBytes));
    }
    levels.push_back({0, text.size(), std::move(part.scope)});
  }
  return result;
}

/// One alternative of a part, and `scope` with the part's variable bound to it.
BoundLabel Evaluator::choose(const Alternatives& part, std::uint64_t choice,
                             const Scope& scope) const {
  Value value;
  if (part.kind == Alternatives::Kind::Fixed) return {part.text, scope};
  if (part.kind == Alternatives::Kind::Late) {
    return {this->value(part.part->operands[0], scope).text(), scope};
  }
  if (part.kind == Alternatives::Kind::Range) {
    value = Value::of(part.low + static_cast<std::int64_t>(choice));
  } else {
    value = Value::of_label(part.items[choice]);
  }
  const std::string& variable = part.part->variable;
  std::string text = value.text();
  if (variable.empty()) return {std::move(text), scope};
  if (scope != nullptr && scope->depth >= kMaxVariables) {
    fail(part.part->offset,
         fmt::format("more than {} variables are bound here", kMaxVariables));
  }
  return {std::move(text), extend(scope, variable, std::move(value))};
}

void Evaluator::check_variables(const Labels& labels,
                                const Scope& scope) const {
  std::vector<std::string_view> seen;
  for (const LabelPart& part : labels.parts) {
    if (part.variable.empty()) continue;
    if (find(scope, part.variable) != nullptr ||
        std::ranges::find(seen, part.variable) != seen.end()) {
      fail(part.offset, fmt::format("the variable '{}' is bound already; use "
                                    "another name",
                                    part.variable));
    }
    seen.push_back(part.variable);
  }
}

Evaluator::Alternatives Evaluator::alternatives(const LabelPart& part,
                                                const Scope& scope) const {
  Alternatives result;
  result.part = &part;
  switch (part.kind) {
    case LabelPart::Kind::Name:
      result.text = part.name;
      return result;
    case LabelPart::Kind::Value:
      result.kind = Alternatives::Kind::Late;
      return result;
    case LabelPart::Kind::Range:
      return whole(range(part, number(part.operands[0], scope),
                         number(part.operands[1], scope)));
    case LabelPart::Kind::Named:
      return whole(named_alternatives(part, scope));
    case LabelPart::Kind::Set:
      result.kind = Alternatives::Kind::List;
      result.items = difference(part, scope);
      return result;
  }
  return result;
}

Evaluator::Alternatives Evaluator::whole(Alternatives range) {
  if (!range.part->is_whole || range.kind != Alternatives::Kind::Range) {
    return range;
  }
  range.kind = Alternatives::Kind::Fixed;
  range.text = range.low == range.high
                   ? std::to_string(range.low)
                   : fmt::format("{}..{}", range.low, range.high);
  return range;
}

Evaluator::Alternatives Evaluator::range(const LabelPart& part,
                                         std::int64_t low,
                                         std::int64_t high) const {
  if (low > high) {
    fail(part.offset, fmt::format("the range {}..{} is empty", low, high));
  }
  Alternatives result;
  result.part = &part;
  result.kind = Alternatives::Kind::Range;
  result.low = low;
  result.high = high;
  return result;
}

Evaluator::Alternatives Evaluator::named_alternatives(
    const LabelPart& part, const Scope& scope) const {
  const auto known = globals_.ranges.find(part.name);
  // A parameter hides a range of the same name, as it does a constant.
  const Value* const parameter = find(scope, part.name);
  if (parameter == nullptr && known != globals_.ranges.end()) {
    return range(part, known->second.first, known->second.second);
  }
  Alternatives result;
  result.part = &part;
  const auto set = globals_.sets.find(part.name);
  if (parameter == nullptr && set != globals_.sets.end()) {
    budget_.charge(set->second.size(), part.offset);
    result.kind = Alternatives::Kind::List;
    result.items = set->second;
    return result;
  }
  if (!part.variable.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, bounds] : globals_.ranges) names.push_back(name);
    for (const auto& [name, items] : globals_.sets) names.push_back(name);
    std::sort(names.begin(), names.end());
    fail(part.offset,
         fmt::format("'{}' is not a range or set over which '{}' could run{}",
                     part.name, part.variable,
                     support::did_you_mean(part.name, names)));
  }
  if (parameter != nullptr) {
    result.text = parameter->text();
    return result;
  }
  const auto constant = globals_.constants.find(part.name);
  if (constant == globals_.constants.end()) undefined(part.name, part.offset);
  result.text = constant->second.text();
  return result;
}

std::vector<std::string> Evaluator::difference(const LabelPart& part,
                                               const Scope& scope) const {
  std::vector<std::string> items = all(part.sets.front(), scope);
  if (part.sets.size() > 1) {
    const auto removed = all(part.sets[1], scope);
    const std::unordered_set<std::string> gone(removed.begin(), removed.end());
    std::erase_if(items, [&](const auto& item) { return gone.contains(item); });
  }
  return items;
}

std::vector<std::string> Evaluator::all(const Labels& labels,
                                        const Scope& scope) const {
  std::vector<std::string> result;
  std::unordered_set<std::string> seen;
  for (BoundLabel& label : expand(labels, scope)) {
    if (seen.insert(label.text).second) result.push_back(std::move(label.text));
  }
  return result;
}

std::vector<std::string> Evaluator::all(const SetExpr& set,
                                        const Scope& scope) const {
  if (!set.name.empty()) {
    const auto known = globals_.sets.find(set.name);
    if (known == globals_.sets.end()) {
      fail(set.offset, fmt::format("'{}' is not a set", set.name));
    }
    budget_.charge(known->second.size(), set.offset);
    return known->second;
  }
  std::vector<std::string> result;
  std::unordered_set<std::string> seen;
  for (const Labels& element : set.elements) {
    for (BoundLabel& label : expand(element, scope)) {
      if (seen.insert(label.text).second) {
        result.push_back(std::move(label.text));
      }
    }
  }
  return result;
}

}  // namespace agon::fsp
