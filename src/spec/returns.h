// SPDX-License-Identifier: Apache-2.0
/// Conditions on results, and the classes into which they split all values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/ast.h"
#include "spec/number_condition.h"

namespace agon::spec {

/// The action of a result that meets none of the conditions.
inline constexpr const char* kOtherReturn = "return of another value";

/// What a specification says about a result in one place.
struct ReturnCondition {
  enum class Kind : std::uint8_t {
    Any,    ///< `return` or `return[_]`
    Range,  ///< `return[k]` or `return[lo..hi]`
    C,      ///< `return{c}`
  };
  Kind kind = Kind::Any;
  std::string written;     ///< `return[1]`
  std::int64_t low = 0;    ///< Of Range.
  std::int64_t high = 0;   ///< Of Range.
  WrittenCondition value;  ///< Of C.
};

/// All values that meet the same conditions.
struct ReturnClass {
  std::string label;
  /// Which of the conditions it meets; one flag each.
  std::vector<bool> meets;
  /// Its values are in one of these ranges, or, if there are none, outside of
  /// the ranges of all conditions.
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  /// Whether its conditions contradict each other, for people: of the result
  /// as it is in C, nobody knows here.
  bool is_contradictory = false;

  bool is_other() const;
};

class ReturnClasses {
 public:
  ReturnClasses() = default;
  /// `max` bounds their number; beyond it there are none and `is_too_many`.
  explicit ReturnClasses(std::vector<ReturnCondition> conditions,
                         std::size_t max = 4096);

  bool is_too_many() const { return is_too_many_; }
  const std::vector<ReturnCondition>& conditions() const { return conditions_; }
  const std::vector<ReturnClass>& classes() const { return classes_; }

  /// Whether a range occurs, so that the result has to be a number.
  bool need_number() const;

 private:
  struct Cell {
    std::vector<bool> meets;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  };
  std::vector<Cell> cells() const;
  void name_classes();
  void find_numbers();
  /// A condition that a class meets, or does not.
  struct Literal {
    std::size_t condition = 0;
    bool positive = true;
  };
  std::vector<Literal> literals(const ReturnClass& one) const;
  NumberSet numbers_in(const std::vector<Literal>& all) const;
  std::string describe(const ReturnClass& one, const NumberSet& numbers) const;

  std::vector<ReturnCondition> conditions_;
  std::vector<ReturnClass> classes_;
  /// Which numbers meet each condition, where that is known; for names only.
  std::vector<std::optional<NumberSet>> numbers_;
  bool is_too_many_ = false;
};

/// `result == 5`, `result >= 1 && result <= 5`, or the condition itself.
std::string as_text(const ReturnCondition& condition);

}  // namespace agon::spec
