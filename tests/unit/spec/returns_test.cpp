// SPDX-License-Identifier: Apache-2.0
// Classes against their definition, value by value.
#include "spec/returns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>

namespace agon::spec {
namespace {

/// Evaluates what labels may say for one value of `result`, by recursive
/// descent; knows nothing of sets of numbers.
class Evaluator {
 public:
  Evaluator(std::string text, long result)
      : text_(std::move(text)), result_(result) {}

  bool run() {
    const bool value = either();
    EXPECT_EQ(at_, text_.size()) << text_;
    return value;
  }

 private:
  bool accept(const std::string& word) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  bool either() {
    bool value = both();
    while (accept("||")) value = both() || value;
    return value;
  }
  bool both() {
    bool value = single();
    while (accept("&&")) value = single() && value;
    return value;
  }
  bool single() {
    if (accept("!(")) return !closed();
    if (accept("(")) return closed();
    const long left = operand();
    if (accept("==")) return left == operand();
    if (accept("!=")) return left != operand();
    if (accept("<=")) return left <= operand();
    if (accept(">=")) return left >= operand();
    if (accept("<")) return left < operand();
    if (accept(">")) return left > operand();
    ADD_FAILURE() << text_ << " at " << at_;
    return false;
  }
  bool closed() {
    const bool value = either();
    EXPECT_TRUE(accept(")")) << text_;
    return value;
  }
  long operand() {
    if (accept("result")) return result_;
    char* end = nullptr;
    const long value = std::strtol(text_.c_str() + at_, &end, 10);
    at_ = static_cast<std::size_t>(end - text_.c_str());
    return value;
  }

  std::string text_;
  long result_;
  std::size_t at_ = 0;
};

bool label_holds(const std::string& label, long value) {
  if (label == "return[_]" || label == "return") return true;
  const std::string inside = label.substr(7, label.size() - 8);
  if (label[6] == '{') return Evaluator(inside, value).run();
  const std::size_t dots = inside.find("..");
  const long low = std::stol(inside);
  const long high =
      dots == std::string::npos ? low : std::stol(inside.substr(dots + 2));
  return low <= value && value <= high;
}

ReturnCondition range(long low, long high) {
  ReturnCondition result;
  result.kind = ReturnCondition::Kind::Range;
  result.low = low;
  result.high = high;
  result.written = "return[" + std::to_string(low) +
                   (low == high ? "" : ".." + std::to_string(high)) + "]";
  return result;
}

ReturnCondition c(const std::string& text) {
  ReturnCondition result;
  result.kind = ReturnCondition::Kind::C;
  result.value.text = text;
  result.written = "return{" + text + "}";
  return result;
}

ReturnCondition any() {
  ReturnCondition result;
  result.written = "return[_]";
  return result;
}

bool holds(const ReturnCondition& condition, long value) {
  switch (condition.kind) {
    case ReturnCondition::Kind::Any:
      return true;
    case ReturnCondition::Kind::Range:
      return condition.low <= value && value <= condition.high;
    case ReturnCondition::Kind::C:
      return Evaluator(condition.value.text, value).run();
  }
  return false;
}

/// Whether the test that is generated for a class would be true.
bool contains(const ReturnClasses& classes, const ReturnClass& one,
              long value) {
  bool in_ranges = one.ranges.empty();
  for (const auto& [low, high] : one.ranges) {
    in_ranges = in_ranges || (low <= value && value <= high);
  }
  for (std::size_t i = 0; i < one.meets.size(); ++i) {
    const ReturnCondition& each = classes.conditions()[i];
    if (each.kind == ReturnCondition::Kind::C &&
        holds(each, value) != one.meets[i]) {
      return false;
    }
    if (each.kind == ReturnCondition::Kind::Range && one.ranges.empty() &&
        holds(each, value)) {
      return false;
    }
  }
  return in_ranges;
}

std::vector<std::string> labels(std::vector<ReturnCondition> conditions) {
  std::vector<std::string> result;
  const ReturnClasses classes(std::move(conditions));
  for (const ReturnClass& each : classes.classes()) {
    result.push_back(each.label);
  }
  return result;
}

using Labels = std::vector<std::string>;

TEST(ReturnClasses, AreNamedAsWritten) {
  EXPECT_EQ(labels({range(1, 1), range(-1, -1)}),
            (Labels{"return[-1]", "return[1]", kOtherReturn}));
  EXPECT_EQ(labels({any()}), Labels{"return[_]"});
  EXPECT_EQ(labels({c("result == limit")}),
            (Labels{kOtherReturn, "return{result == limit}"}));
  EXPECT_EQ(labels({range(0, 5), range(3, 3)}),
            (Labels{"return{result >= 0 && result <= 5 && !(result == 3)}",
                    "return[3]", kOtherReturn}));
  EXPECT_EQ(labels({range(0, 5), range(0, 2)}),
            (Labels{"return[0..2]", "return[3..5]", kOtherReturn}));
}

TEST(ReturnClasses, OfNumbersAndConditionsSayNoMoreThanNeeded) {
  // 0 cannot be negative, but -1 is.
  const Labels all = labels({range(0, 0), range(-1, -1), c("result < 0")});
  EXPECT_EQ(std::ranges::count(all, "return[0]"), 1);
  EXPECT_EQ(std::ranges::count(all, "return[-1]"), 1);
  EXPECT_EQ(std::ranges::count(all, "return{result < 0 && !(result == -1)}"),
            1);
}

TEST(ReturnClasses, AreLimitedInNumber) {
  std::vector<ReturnCondition> many{c("f"), c("g"), c("h")};
  EXPECT_TRUE(ReturnClasses(many, 7).is_too_many());
  EXPECT_FALSE(ReturnClasses(many, 8).is_too_many());
  many = {range(1, 1), range(2, 2), range(3, 3)};
  EXPECT_TRUE(ReturnClasses(many, 3).is_too_many());
  EXPECT_FALSE(ReturnClasses(many, 4).is_too_many());
}

TEST(ReturnClasses, CanHaveExtremeBounds) {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(labels({range(kMin, 0), range(0, kMax)}).size(), 4U);
}

class RandomConditions {
 public:
  explicit RandomConditions(unsigned seed) : random_(seed) {}

  std::vector<ReturnCondition> run() {
    std::vector<ReturnCondition> result;
    for (int i = upto(4); i >= 0; --i) {
      const int kind = upto(6);
      if (kind == 0) {
        result.push_back(any());
      } else if (kind < 4) {
        const long low = upto(40) - 20;
        result.push_back(range(low, low + (kind == 1 ? 0 : upto(15))));
      } else {
        result.push_back(c(condition(2)));
      }
    }
    return result;
  }

 private:
  int upto(int max) {
    return std::uniform_int_distribution<int>(0, max)(random_);
  }
  std::string condition(int depth) {
    static const char* const kOperators[] = {"==", "!=", "<", "<=", ">", ">="};
    const int kind = depth == 0 ? 0 : upto(4);
    if (kind == 3) return "!(" + condition(depth - 1) + ")";
    if (kind == 4) {
      return "(" + condition(depth - 1) + (upto(1) ? " && " : " || ") +
             condition(depth - 1) + ")";
    }
    const std::string number = std::to_string(upto(40) - 20);
    const std::string op = kOperators[upto(5)];
    return upto(3) == 0 ? number + " " + op + " result"
                        : "result " + op + " " + number;
  }

  std::mt19937 random_;
};

TEST(ReturnClasses, PartitionTheValuesAsTheConditionsDo) {
  const char* const scale = std::getenv("AGON_TEST_SCALE");
  const unsigned seeds =
      200 * (scale == nullptr ? 1U : static_cast<unsigned>(std::atoi(scale)));
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    const ReturnClasses classes(RandomConditions(seed).run());
    std::set<std::string> seen;
    for (const ReturnClass& each : classes.classes()) {
      EXPECT_TRUE(seen.insert(each.label).second) << each.label;
    }
    for (long value = -128; value < 128; ++value) {
      std::size_t found = 0;
      for (const ReturnClass& each : classes.classes()) {
        if (!contains(classes, each, value)) continue;
        ++found;
        for (std::size_t i = 0; i < each.meets.size(); ++i) {
          ASSERT_EQ(each.meets[i], holds(classes.conditions()[i], value))
              << classes.conditions()[i].written << " for " << value;
        }
        ASSERT_TRUE(each.is_other() || label_holds(each.label, value))
            << each.label << " for " << value;
      }
      ASSERT_EQ(found, 1U) << value;
      // A label is true of nothing else.
      for (const ReturnClass& each : classes.classes()) {
        if (each.is_other() || contains(classes, each, value)) continue;
        ASSERT_FALSE(label_holds(each.label, value))
            << each.label << " for " << value;
      }
    }
  }
}

}  // namespace
}  // namespace agon::spec
