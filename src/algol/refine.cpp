// SPDX-License-Identifier: Apache-2.0
#include "algol/refine.h"

#include <tsl/robin_set.h>

#include <utility>
#include <vector>

#include "algol/machine.h"
#include "algol/origins.h"
#include "support/error.h"
#include "support/hash.h"
#include "support/sort_unique.h"

// The path is followed once more, and all values remember where they come
// from. At each guess, the parts that the guessed value comes from are divided
// in two ways: where it would have made a difference, which settles what is
// compared with a constant at once, and in halves, which makes any range
// precise in as many iterations as it has bits (MAGE, section 5.4).

namespace agon::algol {
namespace {

/// How far back a cut goes from variable to variable.
constexpr int kMaxHops = 8;

class Refiner {
 public:
  Refiner(const Tree& tree, std::span<const Pattern> patterns, const Path& path)
      : machine_(tree, *path.front().precision, patterns),
        patterns_(patterns),
        path_(path) {}

  std::vector<Cut> run() {
    machine_.record(nullptr, &origins_);
    machine_.start();
    for (const auto& [step, precision] : path_) {
      AGON_ASSERT(machine_.status() == Machine::Status::Choice);
      machine_.use(*precision);
      precision_ = precision;
      if (step.group.kind == OptionGroup::Kind::Guess) doubt(step.number);
      machine_.choose(step.group, step.number);
      while (machine_.run() == Machine::Status::Running) {
      }
    }
    AGON_ASSERT(machine_.status() == Machine::Status::Hit);
    if (!machine_.hit_is_certain()) doubt_hit();
    support::sort_unique(cuts_);
    return std::move(cuts_);
  }

 private:
  /// The machine is about to guess.
  void doubt(std::uint64_t number) {
    const Node& node = machine_.node();
    switch (machine_.stage()) {
      case Stage::Divisor:
        return separate(machine_.value(), Interval::single(0));
      case Stage::Truth:
        return compare(node.op, machine_.remembered(), machine_.value());
      case Stage::Store:
        return separate(machine_.value(),
                        guessed(node.site, machine_.value(), number));
      case Stage::Bounds:
        return separate(machine_.index(), {0, length(node) - 1});
      case Stage::IndexPart:
        return separate(machine_.index(),
                        guessed(node.index_site, machine_.index(), number));
      case Stage::WritePart:
        return separate(machine_.remembered(),
                        guessed(node.site, machine_.remembered(), number));
      case Stage::ElementPart: {
        // Several indices share what they hold.
        const Interval index = machine_.index().interval;
        const Partition& indices = (*precision_)[node.index_site];
        cut_part(node.index_site, indices.part(indices.part_of(index.low)),
                 index);
        return;
      }
      default:
        AGON_ASSERT(!"this is no guess");
    }
  }

  void doubt_hit() {
    const Pattern& pattern = patterns_[machine_.hit_pattern()];
    if (!machine_.hit_value().interval.is_single()) {
      separate(machine_.hit_value(), pattern.value);
    }
    if (!machine_.hit_index().interval.is_single()) {
      separate(machine_.hit_index(), pattern.index);
    }
  }

  std::int64_t length(const Node& node) const {
    return node.kind == NodeKind::Element
               ? machine_.tree().sites[node.index_site].data.range.high + 1
               : machine_.tree().identifiers[node.target].type.result.length;
  }

  Interval guessed(std::uint32_t site, const Value& value,
                   std::uint64_t number) const {
    const Partition& parts = (*precision_)[site];
    return parts.part(parts.part_of(value.interval.low) + number);
  }

  void compare(Operator op, const Value& left, const Value& right) {
    quarter(left);
    quarter(right);
    const bool is_equality = op == Operator::Equal || op == Operator::NotEqual;
    // Values below the boundary behave otherwise than those above it.
    const bool left_up = op == Operator::LessEqual || op == Operator::Greater;
    for (const std::int64_t end : {right.interval.low, right.interval.high}) {
      if (is_equality || !left_up) cut(left, end, 0);
      if ((is_equality || left_up) && end != INT64_MAX) cut(left, end + 1, 0);
    }
    for (const std::int64_t end : {left.interval.low, left.interval.high}) {
      if (is_equality || left_up) cut(right, end, 0);
      if ((is_equality || !left_up) && end != INT64_MAX) {
        cut(right, end + 1, 0);
      }
    }
  }

  /// Makes a difference between the members of an interval and others.
  void separate(const Value& value, Interval from) {
    quarter(value);
    cut(value, from.low, 0);
    if (from.high != INT64_MAX) cut(value, from.high + 1, 0);
  }

  void cut_part(std::uint32_t site, Interval part, Interval index) {
    quarter_part(site, part);
    cuts_.emplace_back(site, index.low);
    if (index.high < part.high) cuts_.emplace_back(site, index.high + 1);
  }

  /// Divides a part into four of about the same size.
  void quarter_part(std::uint32_t site, Interval part) {
    const std::uint64_t size = static_cast<std::uint64_t>(part.high) -
                               static_cast<std::uint64_t>(part.low) + 1;
    for (std::uint64_t i = 1; i < 4; ++i) {
      const auto offset = static_cast<std::int64_t>(size * i / 4);
      if (offset > 0) cuts_.emplace_back(site, part.low + offset);
    }
  }

  void quarter(const Value& value, int hops = 0) {
    if (value.interval.is_single() || value.origin == 0 || hops > kMaxHops ||
        !quartered_.insert(value.origin).second) {
      return;
    }
    const Origin& origin = origins_[value.origin];
    if (origin.kind == Origin::Kind::Part) {
      quarter_part(origin.site, origin.part);
      return quarter(origin.left, hops + 1);
    }
    quarter(origin.left, hops);
    quarter(origin.right, hops);
  }

  /// Makes a difference between values below `at` and others.
  void cut(const Value& value, std::int64_t at, int hops) {
    if (at <= value.interval.low || at > value.interval.high ||
        value.origin == 0 || hops > kMaxHops ||
        !cut_.insert(support::mix(value.origin) ^
                     static_cast<std::uint64_t>(at))
             .second) {
      return;
    }
    const Origin& origin = origins_[value.origin];
    switch (origin.kind) {
      case Origin::Kind::Part:
        cuts_.emplace_back(origin.site, at);
        return cut(origin.left, at, hops + 1);
      case Origin::Kind::Result:
        return cut_operands(origin, at, hops);
      case Origin::Kind::Reduced:
        cut(origin.left, origin.part.low, hops);
        return cut(origin.left, origin.part.high + 1, hops);
      case Origin::Kind::Unknown:
        return;
    }
  }

  void cut_operands(const Origin& origin, std::int64_t at, int hops) {
    const Value& left = origin.left;
    const Value& right = origin.right;
    const Interval there = Interval::single(at);
    // Only where one operand is known, the boundary of the other is.
    if (origin.op == Operator::Add && right.interval.is_single()) {
      cut(left, apply(Operator::Subtract, there, right.interval).low, hops);
    } else if (origin.op == Operator::Add && left.interval.is_single()) {
      cut(right, apply(Operator::Subtract, there, left.interval).low, hops);
    } else if (origin.op == Operator::Subtract && right.interval.is_single()) {
      cut(left, apply(Operator::Add, there, right.interval).low, hops);
    } else if (origin.op == Operator::Subtract && left.interval.is_single()) {
      // l - r < at if and only if r >= l - at + 1.
      const Interval next = apply(Operator::Subtract, left.interval, there);
      if (next.low != INT64_MAX) cut(right, next.low + 1, hops);
    } else if (origin.op == Operator::Multiply) {
      cut_factor(left, right.interval, at, hops);
      cut_factor(right, left.interval, at, hops);
    }
  }

  void cut_factor(const Value& factor, Interval other, std::int64_t at,
                  int hops) {
    if (!other.is_single() || other.low <= 0) return;
    const std::int64_t quotient = at / other.low;
    const bool is_exact = quotient * other.low == at;
    cut(factor, quotient + (is_exact || at < 0 ? 0 : 1), hops);
  }

  Machine machine_;
  std::span<const Pattern> patterns_;
  const Path& path_;
  const Precision* precision_ = nullptr;  // Where the path is now.
  Origins origins_;
  std::vector<Cut> cuts_;
  tsl::robin_set<std::uint32_t> quartered_;
  tsl::robin_set<std::uint64_t, support::MixHash> cut_;
};

}  // namespace

std::vector<Cut> find_cuts(const Tree& tree, std::span<const Pattern> patterns,
                           const Path& path) {
  return Refiner(tree, patterns, path).run();
}

bool apply_cuts(std::span<const Cut> cuts, Precision& precision) {
  bool has_changed = false;
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::uint32_t site = cuts[i].first;
    values.push_back(cuts[i].second);
    if (i + 1 < cuts.size() && cuts[i + 1].first == site) continue;
    has_changed = precision[site].cut(values) || has_changed;
    values.clear();
  }
  return has_changed;
}

}  // namespace agon::algol
