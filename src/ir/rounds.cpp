// SPDX-License-Identifier: Apache-2.0
// Variables fall into classes, by what a round assigns to them:
//   - those that stay: nothing, or what they hold already, computed from such
//     variables alone;
//   - counters: themselves and something that stays; and copies of counters,
//     which are as far behind them in each round;
//   - sums: themselves and something linear in counters;
//   - what is computed from all these in each round, and is not used before.
// What stays is a number, and after that conditions are comparisons of terms
// that are linear in the number of rounds. Each says how long it remains true.
#include "ir/rounds.h"

#include <algorithm>
#include <bit>
#include <set>

namespace agon::ir {
namespace {

using term::Bits;
using term::Kind;
using term::SignedBits;
using term::Term;

constexpr unsigned kWidest = 64;  // So that nothing here overflows.

/// After n rounds: value + n * step, modulo 2^width.
struct Line {
  Bits value = 0;
  Bits step = 0;
};

struct Range {
  SignedBits least;
  SignedBits greatest;
};

Range range_of(unsigned width, bool is_signed) {
  if (!is_signed) return {0, static_cast<SignedBits>(term::mask(width))};
  const auto half = static_cast<SignedBits>(Bits{1} << (width - 1));
  return {-half, half - 1};
}

/// Rounds in which value + n * step is at least 0.
std::uint64_t rounds_above_zero(SignedBits value, SignedBits step) {
  if (value < 0) return 0;
  if (step >= 0) return Rounds::kForever;
  const SignedBits rounds = value / -step + 1;
  return static_cast<std::uint64_t>(
      std::min<SignedBits>(rounds, Rounds::kForever));
}

/// A line as numbers that do not wrap, for so many rounds.
struct Straight {
  SignedBits value = 0;
  SignedBits step = 0;
  std::uint64_t rounds = 0;
};

Straight straight(const Line& line, unsigned width, bool is_signed) {
  const Range range = range_of(width, is_signed);
  Straight result;
  result.value = is_signed ? term::as_signed(line.value, width)
                           : static_cast<SignedBits>(line.value);
  result.step = term::as_signed(line.step, width);
  result.rounds =
      std::min(rounds_above_zero(range.greatest - result.value, -result.step),
               rounds_above_zero(result.value - range.least, result.step));
  return result;
}

/// The inverse of an odd number modulo 2^128.
Bits inverse(Bits odd) {
  Bits result = odd;  // Right in three bits, and each time in twice as many.
  for (unsigned bits = 3; bits < 128; bits *= 2) result *= 2 - odd * result;
  return result;
}

/// Rounds in which a line is not 0.
std::uint64_t rounds_without_zero(const Line& line, unsigned width) {
  if (line.value == 0) return 0;
  if (line.step == 0) return Rounds::kForever;
  const auto zeros = static_cast<unsigned>(
      std::countr_zero(static_cast<std::uint64_t>(line.step)));
  if (term::truncate(line.value, zeros) != 0) return Rounds::kForever;
  const Bits distance = term::truncate(0 - line.value, width) >> zeros;
  const Bits rounds =
      term::truncate(distance * inverse(line.step >> zeros), width - zeros);
  return static_cast<std::uint64_t>(std::min<Bits>(rounds, Rounds::kForever));
}

std::vector<Term> summands(Term term) {
  std::vector<Term> open{term};
  std::vector<Term> result;
  while (!open.empty()) {
    const Term part = open.back();
    open.pop_back();
    if (part.kind() == Kind::Add) {
      open.insert(open.end(), part.operands().begin(), part.operands().end());
    } else {
      result.push_back(part);
    }
  }
  return result;
}

class Counting {
 public:
  Counting(term::Pool& pool, const Round& round, const term::ValueOf& value_of)
      : pool_(pool), round_(round), value_of_(value_of) {}

  std::optional<Rounds> run() {
    find_what_moves();
    for (const Term variable : moving_) {
      after_[variable] = known(round_.after.at(variable));
    }
    find_counters();
    find_copies();
    find_sums();
    if (!others_are_computed()) return std::nullopt;
    Rounds result;
    result.number = limit_;
    for (const Term part : round_.guard) {
      result.number = std::min(result.number, rounds_with(known(part)));
    }
    if (result.number < 2) return std::nullopt;
    if (result.number < Rounds::kForever) --result.number;
    add_values(result);
    return result;
  }

 private:
  void find_what_moves() {
    for (const auto& [variable, value] : round_.after) {
      if (value != variable) moving_.insert(variable);
    }
    const auto stays = [&](Term variable) {
      const Term value = known(round_.after.at(variable));
      return value.is_constant() && value == number(variable);
    };
    while (std::erase_if(moving_, stays) != 0) {
    }
  }

  /// With numbers for what stays.
  Term known(Term term) {
    return term::transform(
        pool_, term, [&](Term part, std::span<const Term> operands) -> Term {
          const bool is_leaf =
              part.kind() == Kind::Variable || part.kind() == Kind::Address;
          const bool is_element = part.kind() == Kind::Read &&
                                  operands[0].kind() == Kind::Variable &&
                                  operands[1].is_constant();
          if (part.sort().is_array() || moving_.contains(part)) return {};
          if (!is_leaf && !is_element) return {};
          return number(is_leaf ? part : pool_.rebuild(part, operands));
        });
  }

  /// What a variable, an address or an element is; none if nobody knows.
  Term number(Term leaf) {
    const auto value = value_of_(leaf);
    if (!value) return {};
    return leaf.sort().is_bool() ? pool_.boolean(*value != 0)
                                 : pool_.bits(*value, leaf.width());
  }

  /// What is added to a variable in each round, if it is nothing else.
  std::optional<Line> added_to(Term variable) {
    if (!is_number(variable)) return std::nullopt;
    std::vector<Term> parts = summands(after_[variable]);
    const auto own = std::ranges::find(parts, variable);
    if (own == parts.end()) return std::nullopt;
    parts.erase(own);
    return sum_of(parts, variable.width());
  }

  void find_counters() {
    std::map<Term, Line> counters;
    for (const Term variable : moving_) {
      const auto added = added_to(variable);  // No line is known yet.
      if (!added) continue;
      counters[variable] = {*value_of_(variable), added->value};
    }
    lines_ = std::move(counters);
  }

  /// What is computed from counters in one step, unless the last value was from
  /// a narrow number that has wrapped since.
  void find_copies() {
    std::map<Term, Line> copies;
    for (const Term variable : moving_) {
      if (lines_.contains(variable) || !is_number(variable)) continue;
      const auto line = line_of(after_[variable]);
      const Bits before = *value_of_(variable);
      const bool is_copy =
          line &&
          term::truncate(before + line->step, variable.width()) == line->value;
      if (is_copy) copies[variable] = {before, line->step};
      take_limits(is_copy);
    }
    lines_.merge(copies);
  }

  void find_sums() {
    for (const Term variable : moving_) {
      if (lines_.contains(variable)) continue;
      const auto added = added_to(variable);
      if (added) sums_[variable] = *added;
      take_limits(added.has_value());
    }
  }

  /// What was found about a variable holds within them.
  void take_limits(bool is_found) {
    for (const std::uint64_t limit : limits_) {
      if (is_found) limit_ = std::min(limit_, limit);
    }
    limits_.clear();
  }

  bool others_are_computed() const {
    return std::ranges::all_of(moving_, [&](Term variable) {
      return std::ranges::all_of(term::variables_of(after_.at(variable)),
                                 [&](Term used) { return has_values(used); });
    });
  }
  bool has_values(Term variable) const {
    return lines_.contains(variable) || sums_.contains(variable);
  }

  static bool is_number(Term term) {
    return term.sort().is_bits() && term.width() <= kWidest;
  }

  // Linear terms. A narrow number that is extended is linear as long as it
  // does not wrap, which is what `limits_` has.

  std::optional<Line> line_of(Term term) {
    if (!is_number(term)) return std::nullopt;
    const unsigned width = term.width();
    switch (term.kind()) {
      case Kind::Constant:
        return Line{term.value(), 0};
      case Kind::Variable: {
        const auto found = lines_.find(term);
        return found != lines_.end() ? std::optional(found->second)
                                     : std::nullopt;
      }
      case Kind::Add:
        return sum_of(summands(term), width);
      case Kind::Subtract:
        return combine(term, [](Bits a, Bits b) { return a - b; });
      case Kind::Negate:
        return scaled(term.operand(0), ~Bits{0}, width);
      case Kind::Multiply:
        return product(term);
      case Kind::Extract:
        return term.low() == 0 ? scaled(term.operand(0), 1, width)
                               : std::nullopt;
      case Kind::ZeroExtend:
      case Kind::SignExtend:
        return extended(term);
      default:
        return std::nullopt;
    }
  }

  std::optional<Line> sum_of(const std::vector<Term>& parts, unsigned width) {
    Line sum;
    for (const Term part : parts) {
      const auto line = line_of(part);
      if (!line) return std::nullopt;
      sum.value = term::truncate(sum.value + line->value, width);
      sum.step = term::truncate(sum.step + line->step, width);
    }
    return sum;
  }

  template <class Combine>
  std::optional<Line> combine(Term term, const Combine& both) {
    const auto a = line_of(term.operand(0));
    const auto b = line_of(term.operand(1));
    if (!a || !b) return std::nullopt;
    return Line{term::truncate(both(a->value, b->value), term.width()),
                term::truncate(both(a->step, b->step), term.width())};
  }

  std::optional<Line> scaled(Term term, Bits factor, unsigned width) {
    const auto line = line_of(term);
    if (!line) return std::nullopt;
    return Line{term::truncate(line->value * factor, width),
                term::truncate(line->step * factor, width)};
  }

  std::optional<Line> product(Term term) {
    const bool is_second = term.operand(1).is_constant();
    if (!is_second && !term.operand(0).is_constant()) return std::nullopt;
    const Term factor = term.operand(is_second ? 1 : 0);
    return scaled(term.operand(is_second ? 0 : 1), factor.value(),
                  term.width());
  }

  std::optional<Line> extended(Term term) {
    const auto line = line_of(term.operand(0));
    if (!line) return std::nullopt;
    const Straight narrow = straight(*line, term.operand(0).width(),
                                     term.kind() == Kind::SignExtend);
    if (narrow.step != 0) limits_.push_back(narrow.rounds);
    return Line{term::truncate(static_cast<Bits>(narrow.value), term.width()),
                term::truncate(static_cast<Bits>(narrow.step), term.width())};
  }

  // Conditions: in how many rounds from now on they are what they are to be,
  // at least.

  std::uint64_t rounds_with(Term condition, bool truth = true) {
    if (condition.is_constant()) {
      return condition.is_true() == truth ? Rounds::kForever : 0;
    }
    switch (condition.kind()) {
      case Kind::Not:
        return rounds_with(condition.operand(0), !truth);
      case Kind::And:
      case Kind::Or:
        return junction(condition, truth);
      case Kind::Equal:
      case Kind::ULess:
      case Kind::ULessEqual:
      case Kind::SLess:
      case Kind::SLessEqual:
        return comparison(condition, truth);
      default:
        return 0;
    }
  }

  std::uint64_t junction(Term condition, bool truth) {
    const bool needs_all = (condition.kind() == Kind::And) == truth;
    std::uint64_t result = needs_all ? Rounds::kForever : 0;
    for (const Term part : condition.operands()) {
      const std::uint64_t rounds = rounds_with(part, truth);
      result = needs_all ? std::min(result, rounds) : std::max(result, rounds);
    }
    return result;
  }

  std::uint64_t comparison(Term condition, bool truth) {
    const auto a = line_of(condition.operand(0));
    const auto b = line_of(condition.operand(1));
    std::uint64_t result = 0;
    if (a && b) {
      result = compare(condition, truth, *a, *b);
      for (const std::uint64_t limit : limits_)
        result = std::min(result, limit);
    }
    limits_.clear();
    return result;
  }

  static std::uint64_t compare(Term condition, bool truth, const Line& a,
                               const Line& b) {
    const unsigned width = condition.operand(0).width();
    const Kind kind = condition.kind();
    if (kind == Kind::Equal) {
      const Line distance{term::truncate(a.value - b.value, width),
                          term::truncate(a.step - b.step, width)};
      if (!truth) return rounds_without_zero(distance, width);
      if (distance.value != 0) return 0;
      return distance.step == 0 ? Rounds::kForever : 1;
    }
    const bool is_signed = kind == Kind::SLess || kind == Kind::SLessEqual;
    const bool is_strict =
        (kind == Kind::ULess || kind == Kind::SLess) == truth;
    const Straight lower = straight(truth ? a : b, width, is_signed);
    const Straight upper = straight(truth ? b : a, width, is_signed);
    const std::uint64_t above =
        rounds_above_zero(upper.value - lower.value - (is_strict ? 1 : 0),
                          upper.step - lower.step);
    return std::min({lower.rounds, upper.rounds, above});
  }

  void add_values(Rounds& result) const {
    const Bits n = result.number;
    for (const auto& [variable, line] : lines_) {
      result.values.emplace_back(
          variable,
          term::truncate(line.value + n * line.step, variable.width()));
    }
    const Bits pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    for (const auto& [variable, added] : sums_) {
      result.values.emplace_back(
          variable, term::truncate(*value_of_(variable) + n * added.value +
                                       pairs * added.step,
                                   variable.width()));
    }
  }

  term::Pool& pool_;
  const Round& round_;
  const term::ValueOf& value_of_;
  std::set<Term> moving_;
  std::map<Term, Term> after_;  // With numbers for what stays.
  std::map<Term, Line> lines_;  // Counters and their copies.
  std::map<Term, Line> sums_;   // What is added to them.
  std::vector<std::uint64_t> limits_;
  std::uint64_t limit_ = Rounds::kForever;
};

}  // namespace

std::optional<Rounds> count_rounds(term::Pool& pool, const Round& round,
                                   const term::ValueOf& value_of) {
  return Counting(pool, round, value_of).run();
}

}  // namespace agon::ir
