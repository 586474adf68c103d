// SPDX-License-Identifier: Apache-2.0
#include "domain/parity_domain.h"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>

#include "domain/range.h"
#include "term/substitute.h"

namespace agon::domain {
namespace {

using term::Kind;
using term::Term;

/// A number of which the lowest bits are known, `count` of them.
struct Low {
  unsigned count = 0;
  std::uint64_t bits = 0;

  friend bool operator==(const Low&, const Low&) = default;
};

Low low(unsigned count, std::uint64_t bits) {
  return {count, count >= 64 ? bits : bits & ((std::uint64_t{1} << count) - 1)};
}

/// How many of the lowest bits are known to be 0.
unsigned zeros(const Low& a) {
  return std::min<unsigned>(a.count,
                            static_cast<unsigned>(std::countr_zero(a.bits)));
}

Low common(const Low& a, const Low& b) {
  const unsigned same =
      static_cast<unsigned>(std::countr_zero(a.bits ^ b.bits));
  return low(std::min({a.count, b.count, same}), a.bits);
}

bool agree(const Low& a, const Low& b) {
  return common(a, b).count == std::min(a.count, b.count);
}

/// The lowest bits of a & b (or of a | b, with `absorbing` ones): a bit is also
/// known where one operand decides it.
Low junction(const Low& a, const Low& b, bool absorbing, unsigned width) {
  const auto decides = [&](const Low& x, unsigned i) {
    return i < x.count && ((x.bits >> i & 1) != 0) == absorbing;
  };
  unsigned count = 0;
  while (count < width && ((count < a.count && count < b.count) ||
                           decides(a, count) || decides(b, count))) {
    ++count;
  }
  return low(count, absorbing ? a.bits | b.bits : a.bits & b.bits);
}

/// The exponent of a power of two that is known; nothing for others.
std::optional<unsigned> exponent(Term term) {
  if (!term.is_constant() || !term.sort().is_bits() || term.width() > 64) {
    return std::nullopt;
  }
  const auto value = static_cast<std::uint64_t>(term.value());
  if (!std::has_single_bit(value)) return std::nullopt;
  return static_cast<unsigned>(std::countr_zero(value));
}

/// If the value of `term` is that of some lowest bits of its first operand,
/// maybe with a sign: how many.
std::optional<unsigned> num_taken(Term term) {
  if (term.kind() == Kind::Extract && term.low() == 0) return term.width();
  if (term.kind() == Kind::SRemainder || term.kind() == Kind::URemainder) {
    return exponent(term.operand(1));
  }
  return std::nullopt;
}

class ParityDomain final : public Domain {
 public:
  explicit ParityDomain(const Setting& setting) : program_(setting.program) {
    std::set<Term> found;
    const auto look = [&](Term term) {
      for (const Term variable : term::variables_of(term)) {
        if (is_followed(variable.sort())) found.insert(variable);
      }
    };
    for (const ir::Edge& edge : program_[setting.entry].body.edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        look(assign->value);
        look(program_[assign->target].term);
      } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
        look(test->condition);
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
        look(program_[havoc->target].term);
      }
    }
    for (const Term variable : found) {
      index_.emplace(variable, variables_.size());
      variables_.push_back(variable);
    }
  }

  Value top() const override { return Value(2 * variables_.size(), 0); }

  std::vector<Value> post(const Value& value,
                          const ir::Assign& assign) override {
    const auto target = index_.find(program_[assign.target].term);
    if (target == index_.end()) return {value};
    Value result = value;
    set(result, target->second, evaluate(assign.value, value, kDepth));
    return {result};
  }

  std::vector<Value> post(const Value& value, const ir::Havoc& havoc) override {
    const auto target = index_.find(program_[havoc.target].term);
    if (target == index_.end()) return {value};
    std::vector<Value> result;
    for (const std::uint64_t bit : {0, 1}) {
      result.push_back(value);
      set(result.back(), target->second, {1, bit});
    }
    return result;
  }

  std::vector<Value> filter(const Value& value, Term condition) override {
    std::set<Value> result;
    narrow(value, condition, true, result);
    return {result.begin(), result.end()};
  }

  bool is_below(const Value& a, const Value& b) const override {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (common(get(a, i), get(b, i)) != get(b, i)) return false;
    }
    return true;
  }

  Value join(const Value& a, const Value& b) const override {
    Value result = a;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      set(result, i, common(get(a, i), get(b, i)));
    }
    return result;
  }

  /// There are no more than kMost + 1 steps for each variable.
  Value widen(const Value& a, const Value& b) const override {
    return join(a, b);
  }

  Value keep(const Value& value, const Keep& is_kept) const override {
    Value result = value;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (!is_kept(program_.variable_of(variables_[i]))) set(result, i, {});
    }
    return result;
  }

  Term concretise(const Value& value) const override {
    term::Pool& pool = *program_.pool;
    std::vector<Term> parts;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const Low known = get(value, i);
      const Term x = variables_[i];
      if (known.count == 0) continue;
      if (x.sort().is_bool()) {
        parts.push_back(known.bits != 0 ? x : pool.negation(x));
      } else {
        const Term mask =
            pool.bits((term::Bits{1} << known.count) - 1, x.width());
        parts.push_back(pool.equal(pool.bit_and(x, mask),
                                   pool.bits(known.bits, x.width())));
      }
    }
    return pool.conjunction(parts);
  }

 private:
  static Low get(const Value& value, std::size_t i) {
    return {static_cast<unsigned>(value[2 * i]), value[2 * i + 1]};
  }

  static void set(Value& value, std::size_t i, const Low& known) {
    const Low kept = low(std::min(known.count, kMost), known.bits);
    value[2 * i] = kept.count;
    value[2 * i + 1] = kept.bits;
  }

  Low evaluate(Term term, const Value& value, unsigned depth) const {
    if (!is_followed(term.sort()) || depth == 0) return {};
    --depth;
    const unsigned width = width_of(term);
    if (term.is_constant()) {
      return low(width, static_cast<std::uint64_t>(term.value()));
    }
    if (term.kind() == Kind::Variable) {
      const auto found = index_.find(term);
      return found != index_.end() ? get(value, found->second) : Low{};
    }
    if (term.kind() == Kind::Ite) {
      const auto known = decide(term.operand(0), value, depth);
      if (known) return evaluate(term.operand(*known ? 1 : 2), value, depth);
      return common(evaluate(term.operand(1), value, depth),
                    evaluate(term.operand(2), value, depth));
    }
    if (term.sort().is_bool()) {
      const auto known = decide(term, value, depth);
      return known ? Low{1, *known ? 1U : 0U} : Low{};
    }
    const auto operands = term.operands();
    if (operands.empty()) return {};
    Low result = evaluate(operands[0], value, depth);
    if (operands.size() == 1) return apply(term, result, result);
    for (std::size_t i = 1; i < operands.size(); ++i) {
      result = apply(term, result, evaluate(operands[i], value, depth));
    }
    return result;
  }

  static unsigned width_of(Term term) {
    return std::max<unsigned>(term.width(), 1);
  }

  /// What an operator makes of its operands.
  static Low apply(Term term, const Low& a, const Low& b) {
    const unsigned width = term.width();
    const unsigned both = std::min(a.count, b.count);
    switch (term.kind()) {
      case Kind::Negate:
        return low(a.count, -a.bits);
      case Kind::Add:
        return low(both, a.bits + b.bits);
      case Kind::Subtract:
        return low(both, a.bits - b.bits);
      case Kind::Multiply:
        return low(std::min({width, a.count + zeros(b), b.count + zeros(a)}),
                   a.bits * b.bits);
      case Kind::BitNot:
        return low(a.count, ~a.bits);
      case Kind::BitXor:
        return low(both, a.bits ^ b.bits);
      case Kind::BitAnd:
        return junction(a, b, false, width);
      case Kind::BitOr:
        return junction(a, b, true, width);
      case Kind::ShiftLeft:
        if (b.count < width || b.bits >= width) return {};
        return low(
            std::min<unsigned>(width, a.count + static_cast<unsigned>(b.bits)),
            a.bits << b.bits);
      case Kind::ShiftRight:
      case Kind::ShiftRightSigned:
        if (b.count < width || b.bits >= a.count) return {};
        return low(a.count - static_cast<unsigned>(b.bits), a.bits >> b.bits);
      case Kind::Concat:
        if (b.count < width_of(term.operand(1))) return b;
        return low(a.count + b.count, a.bits << b.count | b.bits);
      case Kind::Extract:
        if (a.count <= term.low()) return {};
        return low(std::min(width, a.count - term.low()), a.bits >> term.low());
      case Kind::ZeroExtend:
        return low(a.count == width_of(term.operand(0)) ? width : a.count,
                   a.bits);
      case Kind::SignExtend:
        return a;
      case Kind::URemainder:
      case Kind::SRemainder:
        return remainder(term, a);
      default:
        return {};
    }
  }

  static Low remainder(Term term, const Low& a) {
    const auto taken = exponent(term.operand(1));
    if (!taken) return {};
    const Low result = low(std::min(a.count, *taken), a.bits);
    const bool is_known = a.count >= *taken &&
                          (result.bits == 0 || term.kind() == Kind::URemainder);
    return is_known ? Low{term.width(), result.bits} : result;
  }

  std::optional<bool> decide(Term condition, const Value& value,
                             unsigned depth) const {
    if (condition.is_constant()) return condition.is_true();
    if (depth == 0) return std::nullopt;
    --depth;
    const auto operands = condition.operands();
    switch (condition.kind()) {
      case Kind::Not: {
        const auto known = decide(operands[0], value, depth);
        return known ? std::optional(!*known) : std::nullopt;
      }
      case Kind::And:
      case Kind::Or: {
        const bool absorbing = condition.kind() == Kind::Or;
        bool is_known = true;
        for (const Term part : operands) {
          const auto known = decide(part, value, depth);
          if (known == absorbing) return absorbing;
          is_known = is_known && known.has_value();
        }
        return is_known ? std::optional(!absorbing) : std::nullopt;
      }
      case Kind::Variable:
      case Kind::Ite: {
        const Low known = evaluate(condition, value, depth);
        return known.count > 0 ? std::optional(known.bits != 0) : std::nullopt;
      }
      case Kind::Equal:
        break;
      case Kind::ULess:
      case Kind::ULessEqual:
      case Kind::SLess:
      case Kind::SLessEqual:
        return order(condition, evaluate(operands[0], value, depth),
                     evaluate(operands[1], value, depth));
      default:
        return std::nullopt;
    }
    if (!is_followed(operands[0].sort())) return std::nullopt;
    const Low a = evaluate(operands[0], value, depth);
    const Low b = evaluate(operands[1], value, depth);
    if (!agree(a, b)) return false;
    const bool is_all = std::min(a.count, b.count) == width_of(operands[0]);
    return is_all ? std::optional(true) : std::nullopt;
  }

  /// Known if all bits are.
  static std::optional<bool> order(Term condition, const Low& a, const Low& b) {
    const unsigned width = width_of(condition.operand(0));
    if (!is_followed(condition.operand(0).sort()) || a.count < width ||
        b.count < width) {
      return std::nullopt;
    }
    const term::SignedBits x = term::as_signed(a.bits, width);
    const term::SignedBits y = term::as_signed(b.bits, width);
    switch (condition.kind()) {
      case Kind::ULess:
        return a.bits < b.bits;
      case Kind::ULessEqual:
        return a.bits <= b.bits;
      case Kind::SLess:
        return x < y;
      default:
        return x <= y;
    }
  }

  /// Adds values that hold the states in which the condition is as given.
  void narrow(const Value& value, Term condition, bool positive,
              std::set<Value>& to) const {
    const auto known = decide(condition, value, kDepth);
    if (known) {
      if (*known == positive) to.insert(value);
      return;
    }
    const auto operands = condition.operands();
    Value result = value;
    switch (condition.kind()) {
      case Kind::Not:
        return narrow(value, operands[0], !positive, to);
      case Kind::And:
      case Kind::Or:
        if ((condition.kind() == Kind::And) != positive) {
          for (const Term part : operands) narrow(value, part, positive, to);
          return;
        }
        return narrow_all(value, operands, positive, to);
      case Kind::Variable:
        if (!meet(result, condition, {1, positive ? 1U : 0U})) return;
        break;
      case Kind::Equal:
        if (!is_followed(operands[0].sort())) break;
        for (const std::size_t side : {0, 1}) {
          const Low other = evaluate(operands[1 - side], result, kDepth);
          const Low wish = positive ? other : unlike(operands[side], other);
          if (!meet(result, operands[side], wish)) return;
        }
        break;
      default:
        break;
    }
    to.insert(result);
  }

  void narrow_all(const Value& value, std::span<const Term> conditions,
                  bool positive, std::set<Value>& to) const {
    std::set<Value> values{value};
    for (const Term condition : conditions) {
      std::set<Value> next;
      for (const Value& part : values) narrow(part, condition, positive, next);
      if (next.size() <= kMostParts) values = std::move(next);
    }
    to.merge(values);
  }

  /// The lowest bit of a term that is not `other`, if it has one bit only.
  static Low unlike(Term term, const Low& other) {
    const bool is_all = other.count == width_of(term);
    if (!is_all) return {};
    const auto is_bit = [](Term t) {
      return t.width() == 1 || num_taken(t) == 1 ||
             (t.kind() == Kind::BitAnd &&
              std::ranges::any_of(t.operands(), [](Term operand) {
                return exponent(operand) == 0U;
              }));
    };
    if (!term.sort().is_bits() || !is_bit(term)) return {};
    if (other.bits == 0) return {1, 1};
    // The remainder of a negative number may be -1.
    if (other.bits != 1 || term.kind() == Kind::SRemainder) return {};
    return {1, 0};
  }

  /// Uses that the lowest bits of a term are known. False: no state is left.
  bool meet(Value& value, Term term, const Low& known) const {
    if (known.count == 0 || term.is_constant()) return true;
    if (const auto taken = num_taken(term)) {
      return meet(value, term.operand(0),
                  low(std::min(known.count, *taken), known.bits));
    }
    switch (term.kind()) {
      case Kind::Variable: {
        const auto found = index_.find(term);
        if (found == index_.end()) return true;
        const Low before = get(value, found->second);
        if (!agree(before, known)) return false;
        if (known.count > before.count) set(value, found->second, known);
        return true;
      }
      case Kind::ZeroExtend:
      case Kind::SignExtend:
        return meet(
            value, term.operand(0),
            low(std::min(known.count, width_of(term.operand(0))), known.bits));
      case Kind::Add: {
        if (term.operands().size() != 2) return true;
        for (const std::size_t side : {0, 1}) {
          const Low other = evaluate(term.operand(1 - side), value, kDepth);
          if (!meet(value, term.operand(side),
                    low(std::min(known.count, other.count),
                        known.bits - other.bits))) {
            return false;
          }
        }
        return true;
      }
      case Kind::BitAnd:
        return meet_mask(value, term, known);
      default:
        return true;
    }
  }

  /// x & c has the lowest bits of x where c is 1.
  bool meet_mask(Value& value, Term term, const Low& known) const {
    if (term.operands().size() != 2) return true;
    for (const std::size_t side : {0, 1}) {
      const Low mask = evaluate(term.operand(1 - side), value, kDepth);
      const unsigned ones = std::min(
          mask.count, static_cast<unsigned>(std::countr_one(mask.bits)));
      if (!meet(value, term.operand(side),
                low(std::min(known.count, ones), known.bits))) {
        return false;
      }
    }
    return true;
  }

  static constexpr unsigned kDepth = 24;
  static constexpr unsigned kMost = 4;  // Bits of a variable.
  static constexpr std::size_t kMostParts = 16;

  const ir::Program& program_;
  std::vector<Term> variables_;
  std::unordered_map<Term, std::size_t> index_;
};

}  // namespace

std::unique_ptr<Domain> make_parity_domain(const Setting& setting) {
  return std::make_unique<ParityDomain>(setting);
}

}  // namespace agon::domain
