// SPDX-License-Identifier: Apache-2.0
#include "spec/number_condition.h"

#include <charconv>
#include <limits>
#include <string>

#include "spec/scanner.h"

namespace agon::spec {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr int kMaxDepth = 50;

/// The numbers x with `x op n`; `op` is one of C's.
std::optional<NumberSet> compared(std::string_view op, std::int64_t n) {
  const NumberSet equal{{n, n}};
  const NumberSet less = n == kFirst ? NumberSet{} : NumberSet{{kFirst, n - 1}};
  if (op == "==") return equal;
  if (op == "!=") return complement(equal);
  if (op == "<") return less;
  if (op == ">=") return complement(less);
  if (op == "<=") return NumberSet{{kFirst, n}};
  if (op == ">") return complement(NumberSet{{kFirst, n}});
  return std::nullopt;
}

std::string_view turned(std::string_view op) {
  if (op == "<") return ">";
  if (op == ">") return "<";
  if (op == "<=") return ">=";
  if (op == ">=") return "<=";
  return op;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<NumberSet> run() {
    auto result = either(0);
    skip();
    return at_ == text_.size() ? result : std::nullopt;
  }

 private:
  using Result = std::optional<NumberSet>;

  void skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) {
      ++at_;
    }
  }

  bool accept(std::string_view spelling) {
    skip();
    if (!text_.substr(at_).starts_with(spelling)) return false;
    at_ += spelling.size();
    return true;
  }

  Result either(int depth) {
    Result result = both(depth);
    while (result && accept("||")) {
      const Result next = both(depth);
      if (!next) return next;
      result = complement(intersection(complement(*result), complement(*next)));
    }
    return result;
  }

  Result both(int depth) {
    Result result = primary(depth);
    while (result && accept("&&")) {
      const Result next = primary(depth);
      if (!next) return next;
      result = intersection(*result, *next);
    }
    return result;
  }

  Result primary(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    skip();
    if (text_.substr(at_).starts_with("!") && accept("!")) {
      if (!accept("(")) return std::nullopt;
      const Result inner = closed(depth);
      return inner ? Result(complement(*inner)) : inner;
    }
    if (accept("(")) return closed(depth);
    return comparison();
  }

  Result closed(int depth) {
    Result inner = either(depth + 1);
    return inner && accept(")") ? inner : std::nullopt;
  }

  Result comparison() {
    const std::optional<std::int64_t> left = number();
    if (!left && !result_word()) return std::nullopt;
    const std::string_view op = comparison_operator();
    if (left) {
      return result_word() ? compared(turned(op), *left) : std::nullopt;
    }
    const std::optional<std::int64_t> right = number();
    return right ? compared(op, *right) : std::nullopt;
  }

  bool result_word() {
    skip();
    constexpr std::string_view kResult = "result";
    if (!text_.substr(at_).starts_with(kResult)) return false;
    const std::size_t end = at_ + kResult.size();
    if (end < text_.size() && is_word_character(text_[end])) return false;
    at_ = end;
    return true;
  }

  std::string_view comparison_operator() {
    for (const std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (accept(op)) return op;
    }
    return {};
  }

  std::optional<std::int64_t> number() {
    skip();
    const std::size_t begin = at_;
    std::size_t end = at_;
    if (end < text_.size() && text_[end] == '-') ++end;
    const std::size_t digits = end;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    const bool is_octal = end - digits > 1 && text_[digits] == '0';
    std::int64_t value = 0;
    const auto [stop, error] =
        std::from_chars(text_.data() + begin, text_.data() + end, value);
    if (error != std::errc() || stop != text_.data() + end || is_octal) {
      return std::nullopt;
    }
    at_ = end;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<NumberSet> numbers_with(std::string_view condition) {
  return Reader(condition).run();
}

NumberSet complement(const NumberSet& set) {
  NumberSet result;
  std::int64_t next = kFirst;  // The first number that is not decided yet.
  for (const auto& [low, high] : set) {
    if (low > next) result.emplace_back(next, low - 1);
    if (high == kLast) return result;
    next = high + 1;
  }
  result.emplace_back(next, kLast);
  return result;
}

NumberSet intersection(const NumberSet& a, const NumberSet& b) {
  NumberSet result;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const std::int64_t low = std::max(x->first, y->first);
    const std::int64_t high = std::min(x->second, y->second);
    if (low <= high) result.emplace_back(low, high);
    if (x->second < y->second) {
      ++x;
    } else {
      ++y;
    }
  }
  return result;
}

}  // namespace agon::spec
