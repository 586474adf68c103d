// SPDX-License-Identifier: Apache-2.0
#include "domain/affine_domain.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "domain/affine_space.h"
#include "term/substitute.h"

// Variables of as many bits are the coordinates of a space (affine_space.h).
// What a term computes otherwise than by adding, subtracting and multiplying by
// what is the same in all states is any number.

namespace agon::domain {
namespace {

using term::Kind;
using term::Term;

/// A value: one space for each width.
using Spaces = std::vector<AffineSpace>;

class AffineDomain final : public Domain {
 public:
  explicit AffineDomain(const Setting& setting) : program_(setting.program) {
    std::map<unsigned, std::map<Term, std::size_t>> seen;
    const auto count = [&](Term term) {
      term::visit_subterms(term, [&](Term t) {
        const bool is_number = t.sort().is_bits() && t.width() <= kMostBits;
        if (t.kind() == Kind::Variable && is_number) ++seen[t.width()][t];
      });
    };
    for (const ir::Edge& edge : program_[setting.entry].body.edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        count(assign->value);
        count(program_[assign->target].term);
      } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
        count(test->condition);
      }
    }
    for (const auto& [width, variables] : seen) add_group(width, variables);
  }

  Value top() const override {
    Spaces spaces;
    for (const Group& group : groups_) {
      spaces.push_back(AffineSpace::all(group.variables.size(), group.width));
    }
    return pack(spaces);
  }

  std::vector<Value> post(const Value& value,
                          const ir::Assign& assign) override {
    const auto target = places_.find(program_[assign.target].term);
    if (target == places_.end()) return {value};
    const auto [group, coordinate] = target->second;
    Spaces spaces = unpack(value);
    const auto form = Reader{*this, spaces, group}.form(assign.value);
    if (form) {
      spaces[group].assign(coordinate, *form);
    } else {
      spaces[group].forget(coordinate);
    }
    return {pack(spaces)};
  }

  std::vector<Value> post(const Value& value, const ir::Havoc& havoc) override {
    return {forget(value, program_[havoc.target].term)};
  }

  std::vector<Value> filter(const Value& value, Term condition) override {
    const std::set<Value> found = narrow(value, condition, true, kDepth);
    return {found.begin(), found.end()};
  }

  bool is_below(const Value& a, const Value& b) const override {
    const Spaces less = unpack(a);
    const Spaces more = unpack(b);
    return std::ranges::equal(
        more, less, [](const AffineSpace& big, const AffineSpace& small) {
          return big.contains(small);
        });
  }

  Value join(const Value& a, const Value& b) const override {
    Spaces result = unpack(a);
    const Spaces other = unpack(b);
    for (std::size_t i = 0; i < result.size(); ++i) result[i].join(other[i]);
    return pack(result);
  }

  /// There are no more steps than all variables have bits.
  Value widen(const Value& a, const Value& b) const override {
    return join(a, b);
  }

  Value keep(const Value& value, const Keep& is_kept) const override {
    Spaces result = unpack(value);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto& variables = groups_[i].variables;
      for (std::size_t j = 0; j < variables.size(); ++j) {
        if (!is_kept(program_.variable_of(variables[j]))) result[i].forget(j);
      }
    }
    return pack(result);
  }

  Term concretise(const Value& value) const override {
    const Spaces spaces = unpack(value);
    std::vector<Term> parts;
    for (std::size_t i = 0; i < spaces.size(); ++i) {
      for (const auto& equation : spaces[i].equations()) {
        parts.push_back(formula(groups_[i], equation));
      }
    }
    return program_.pool->conjunction(parts);
  }

 private:
  struct Group {
    unsigned width;
    std::vector<Term> variables;
  };
  struct Place {
    std::size_t group;
    std::size_t coordinate;
  };

  /// What terms compute from the variables of a group. Large ones are given up.
  struct Reader {
    const AffineDomain& domain;
    const Spaces& spaces;
    std::size_t group;
    unsigned left = 64;

    std::optional<AffineForm> form(Term term) {
      const Group& own = domain.groups_[group];
      if (left == 0 || term.width() != own.width) return std::nullopt;
      --left;
      const auto operands = term.operands();
      const std::uint64_t minus = ~std::uint64_t{0};
      AffineForm zero{Vector(own.variables.size(), 0), 0};
      switch (term.kind()) {
        case Kind::Constant:
          zero.number = static_cast<std::uint64_t>(term.value());
          return zero;
        case Kind::Variable: {
          const auto place = domain.places_.find(term);
          if (place == domain.places_.end()) return std::nullopt;
          zero.factors[place->second.coordinate] = 1;
          return zero;
        }
        case Kind::Negate:
          return sum(zero, minus, form(operands[0]));
        case Kind::BitNot:
          zero.number = minus;
          return sum(zero, minus, form(operands[0]));
        case Kind::Subtract:
          return sum(form(operands[0]), minus, form(operands[1]));
        case Kind::Add:
          for (const Term each : operands) {
            const auto more = sum(zero, 1, form(each));
            if (!more) return std::nullopt;
            zero = *more;
          }
          return zero;
        case Kind::Multiply:
          return product(form(operands[0]), form(operands[1]));
        case Kind::ShiftLeft: {
          const auto by = number(form(operands[1]));
          if (!by) return std::nullopt;
          if (*by >= own.width) return zero;
          return sum(zero, std::uint64_t{1} << *by, form(operands[0]));
        }
        default:
          return std::nullopt;
      }
    }

    static std::optional<AffineForm> sum(std::optional<AffineForm> a,
                                         std::uint64_t times,
                                         const std::optional<AffineForm>& b) {
      if (!a || !b) return std::nullopt;
      for (std::size_t i = 0; i < a->factors.size(); ++i) {
        a->factors[i] += times * b->factors[i];
      }
      a->number += times * b->number;
      return a;
    }

    std::optional<std::uint64_t> number(
        const std::optional<AffineForm>& form) const {
      return form ? spaces[group].value_of(*form) : std::nullopt;
    }

    std::optional<AffineForm> product(
        const std::optional<AffineForm>& a,
        const std::optional<AffineForm>& b) const {
      if (!a || !b) return std::nullopt;
      const AffineForm zero{Vector(a->factors.size(), 0), 0};
      if (const auto times = number(a)) return sum(zero, *times, b);
      if (const auto times = number(b)) return sum(zero, *times, a);
      return std::nullopt;
    }
  };

  /// Those that are used most are followed.
  void add_group(unsigned width, const std::map<Term, std::size_t>& seen) {
    std::vector<std::pair<Term, std::size_t>> most(seen.begin(), seen.end());
    std::ranges::stable_sort(most, std::ranges::greater(),
                             &std::pair<Term, std::size_t>::second);
    if (most.size() > kMostVariables) most.resize(kMostVariables);
    Group& group = groups_.emplace_back(width);
    for (const auto& [variable, times] : most) {
      places_[variable] = {groups_.size() - 1, group.variables.size()};
      group.variables.push_back(variable);
    }
  }

  Spaces unpack(const Value& value) const {
    Spaces result;
    std::span<const std::uint64_t> rest = value;
    for (const auto& [width, variables] : groups_) {
      result.push_back(AffineSpace::unpack(rest, variables.size(), width));
      rest = rest.subspan(AffineSpace::num_words(variables.size()));
    }
    return result;
  }

  static Value pack(const Spaces& spaces) {
    Value result;
    for (const AffineSpace& space : spaces) {
      const Vector words = space.pack();
      result.insert(result.end(), words.begin(), words.end());
    }
    return result;
  }

  Value forget(const Value& value, Term variable) const {
    const auto target = places_.find(variable);
    if (target == places_.end()) return value;
    Spaces spaces = unpack(value);
    spaces[target->second.group].forget(target->second.coordinate);
    return pack(spaces);
  }

  /// With the variable alone on one side, as other domains can use it.
  Term formula(const Group& group,
               const AffineSpace::Equation& equation) const {
    term::Pool& pool = *program_.pool;
    const auto bits = [&](std::uint64_t number) {
      return pool.bits(number, group.width);
    };
    Term sum = bits(0 - equation.form.number);
    for (std::size_t i = 0; i < group.variables.size(); ++i) {
      const Term factor = bits(0 - equation.form.factors[i]);
      if (i == equation.coordinate || factor.value() == 0) continue;
      sum = pool.add(sum, pool.multiply(factor, group.variables[i]));
    }
    const Term own = group.variables[equation.coordinate];
    if (equation.zeros == group.width) return pool.equal(own, sum);
    const Term low = bits((std::uint64_t{1} << equation.zeros) - 1);
    return pool.equal(pool.bit_and(pool.subtract(own, sum), low), bits(0));
  }

  /// Values that hold the states in which the condition is as given.
  std::set<Value> narrow(const Value& value, Term condition, bool positive,
                         unsigned depth) const {
    if (condition.is_constant()) {
      return condition.is_true() == positive ? std::set{value}
                                             : std::set<Value>{};
    }
    if (depth == 0) return {value};
    const auto operands = condition.operands();
    switch (condition.kind()) {
      case Kind::Not:
        return narrow(value, operands[0], !positive, depth - 1);
      case Kind::And:
      case Kind::Or:
        return (condition.kind() == Kind::And) == positive
                   ? narrow_all(value, operands, positive, depth - 1)
                   : narrow_some(value, operands, positive, depth - 1);
      case Kind::Equal:
      case Kind::ULess:
      case Kind::ULessEqual:
      case Kind::SLess:
      case Kind::SLessEqual:
        return narrow_atom(value, condition, positive);
      default:
        return {value};
    }
  }

  std::set<Value> narrow_all(const Value& value, std::span<const Term> parts,
                             bool positive, unsigned depth) const {
    std::set<Value> values{value};
    for (const Term part : parts) {
      std::set<Value> next;
      for (const Value& each : values) {
        next.merge(narrow(each, part, positive, depth));
      }
      if (next.size() <= kMostValues) values = std::move(next);
    }
    return values;
  }

  std::set<Value> narrow_some(const Value& value, std::span<const Term> parts,
                              bool positive, unsigned depth) const {
    std::set<Value> result;
    for (const Term part : parts) {
      result.merge(narrow(value, part, positive, depth));
      if (result.size() > kMostValues) return {value};
    }
    return result;
  }

  std::set<Value> narrow_atom(const Value& value, Term atom,
                              bool positive) const {
    const Term left = atom.operand(0);
    const auto group = std::ranges::find(groups_, left.width(), &Group::width);
    if (!left.sort().is_bits() || group == groups_.end()) return {value};
    Spaces spaces = unpack(value);
    const auto index = static_cast<std::size_t>(group - groups_.begin());
    AffineSpace& space = spaces[index];
    Reader reader{*this, spaces, index};
    const auto a = reader.form(left);
    const auto b = reader.form(atom.operand(1));
    if (atom.kind() != Kind::Equal) {
      const auto known = order(atom, reader.number(a), reader.number(b));
      return known.value_or(positive) == positive ? std::set{value}
                                                  : std::set<Value>{};
    }
    const auto difference = Reader::sum(a, ~std::uint64_t{0}, b);
    if (!difference) return {value};
    if (!positive) {
      return space.value_of(*difference) == 0U ? std::set<Value>{}
                                               : std::set{value};
    }
    if (!space.restrict_to_zero(*difference)) return {};
    return {pack(spaces)};
  }

  static std::optional<bool> order(Term atom, std::optional<std::uint64_t> a,
                                   std::optional<std::uint64_t> b) {
    if (!a || !b) return std::nullopt;
    const unsigned width = atom.operand(0).width();
    const term::SignedBits x = term::as_signed(*a, width);
    const term::SignedBits y = term::as_signed(*b, width);
    switch (atom.kind()) {
      case Kind::ULess:
        return *a < *b;
      case Kind::ULessEqual:
        return *a <= *b;
      case Kind::SLess:
        return x < y;
      default:
        return x <= y;
    }
  }

  static constexpr unsigned kMostBits = 64;
  static constexpr std::size_t kMostVariables = 12;  // Of a width.
  static constexpr std::size_t kMostValues = 8;      // Of a condition.
  static constexpr unsigned kDepth = 24;

  const ir::Program& program_;
  std::vector<Group> groups_;
  std::unordered_map<Term, Place> places_;
};

}  // namespace

std::unique_ptr<Domain> make_affine_domain(const Setting& setting) {
  return std::make_unique<AffineDomain>(setting);
}

}  // namespace agon::domain
