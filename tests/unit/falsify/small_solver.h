// SPDX-License-Identifier: Apache-2.0
/// A solver for formulas over few bits that tries all values. It is quicker
/// than a real one on random programs, and shares no code with any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "smt/solver.h"
#include "term/substitute.h"

namespace agon::test {

class SmallSolver final : public smt::Solver {
 public:
  void push() override { marks_.push_back(asserted_.size()); }
  void pop() override {
    asserted_.resize(marks_.back());
    marks_.pop_back();
  }
  void add(term::Term formula) override { asserted_.push_back(formula); }

  smt::Answer check(std::span<const term::Term> assumptions) override {
    std::vector<term::Term> all = asserted_;
    all.insert(all.end(), assumptions.begin(), assumptions.end());
    assumptions_.assign(assumptions.begin(), assumptions.end());
    if (!choose_states(all)) return smt::Answer::Unknown;
    Table holds(states_->size, 1);
    for (const term::Term formula : all) {
      const Table& values = table(formula);
      for (std::size_t i = 0; i < holds.size(); ++i) holds[i] &= values[i];
    }
    const auto found = std::ranges::find(holds, 1);
    if (found == holds.end()) return smt::Answer::Unsat;
    const auto at = static_cast<std::size_t>(found - holds.begin());
    model_.clear();
    for (const term::Term x : states_->variables) {
      model_[x] = {x.sort(), table(x)[at], {}};
    }
    return smt::Answer::Sat;
  }

  term::Assignment model() override { return model_; }
  std::vector<term::Term> core() override { return assumptions_; }
  std::string reason() const override { return "too many bits"; }
  void set_limits(const smt::CheckLimits&) override {}
  void interrupt() override {}

 private:
  using Table = std::vector<std::uint8_t>;  // A term's value for all values.
  static constexpr unsigned kMostBits = 16;

  static unsigned width(term::Term x) { return std::max(x.width(), 1U); }

  /// All values of some variables, and what terms are for them.
  struct States {
    std::vector<term::Term> variables;
    std::size_t size = 1;
    std::unordered_map<term::Term, Table> tables;
  };

  bool choose_states(const std::vector<term::Term>& formulas) {
    std::vector<term::Term> variables;
    for (const term::Term formula : formulas) {
      const auto more = term::variables_of(formula);
      variables.insert(variables.end(), more.begin(), more.end());
    }
    std::ranges::sort(variables);
    const auto rest = std::ranges::unique(variables);
    variables.erase(rest.begin(), rest.end());
    unsigned bits = 0;
    for (const term::Term x : variables) {
      if (x.sort().is_array() || width(x) > 4) return false;
      bits += width(x);
    }
    if (bits > kMostBits) return false;
    const auto [at, is_new] = all_states_.try_emplace(variables);
    states_ = &at->second;
    if (is_new) enumerate(variables);
    return true;
  }

  void enumerate(const std::vector<term::Term>& variables) {
    states_->variables = variables;
    for (const term::Term x : variables) states_->size <<= width(x);
    unsigned shift = 0;
    for (const term::Term x : variables) {
      Table& values = states_->tables[x];
      for (std::size_t i = 0; i < states_->size; ++i) {
        values.push_back(
            static_cast<std::uint8_t>(i >> shift & ((1U << width(x)) - 1)));
      }
      shift += width(x);
    }
  }

  const Table& table(term::Term term) {
    const auto known = states_->tables.find(term);
    if (known != states_->tables.end()) return known->second;
    std::vector<const Table*> operands;
    for (const term::Term operand : term.operands()) {
      operands.push_back(&table(operand));
    }
    Table values(states_->size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = [&](std::size_t k) -> unsigned {
        return (*operands[k])[i];
      };
      values[i] = static_cast<std::uint8_t>(apply(term, operands.size(), at) &
                                            ((1U << width(term)) - 1));
    }
    return states_->tables.emplace(term, std::move(values)).first->second;
  }

  static int with_sign(unsigned value, unsigned width) {
    const int number = static_cast<int>(value);
    return value >> (width - 1) != 0 ? number - (1 << width) : number;
  }

  template <class At>
  static unsigned apply(term::Term term, std::size_t count, const At& at) {
    using term::Kind;
    const unsigned w = count > 0 ? width(term.operand(0)) : width(term);
    switch (term.kind()) {
      case Kind::Constant:
        return static_cast<unsigned>(term.value());
      case Kind::Not:
        return at(0) == 0 ? 1 : 0;
      case Kind::And:
      case Kind::Or: {
        unsigned result = at(0);
        for (std::size_t k = 1; k < count; ++k) {
          result = term.kind() == Kind::And ? result & at(k) : result | at(k);
        }
        return result;
      }
      case Kind::Equal:
        return at(0) == at(1) ? 1 : 0;
      case Kind::Ite:
        return at(0) != 0 ? at(1) : at(2);
      case Kind::Negate:
        return 0 - at(0);
      case Kind::BitNot:
        return ~at(0);
      case Kind::Add:
        return at(0) + at(1);
      case Kind::Subtract:
        return at(0) - at(1);
      case Kind::Multiply:
        return at(0) * at(1);
      case Kind::BitAnd:
        return at(0) & at(1);
      case Kind::BitOr:
        return at(0) | at(1);
      case Kind::BitXor:
        return at(0) ^ at(1);
      case Kind::ShiftLeft:
        return at(1) >= w ? 0 : at(0) << at(1);
      case Kind::ShiftRight:
        return at(1) >= w ? 0 : at(0) >> at(1);
      case Kind::ShiftRightSigned:
        return static_cast<unsigned>(with_sign(at(0), w) >>
                                     std::min(at(1), w - 1));
      case Kind::UDivide:
        return at(1) == 0 ? ~0U : at(0) / at(1);
      case Kind::URemainder:
        return at(1) == 0 ? at(0) : at(0) % at(1);
      case Kind::SDivide: {
        const int a = with_sign(at(0), w);
        const int b = with_sign(at(1), w);
        return static_cast<unsigned>(b != 0 ? a / b : a < 0 ? 1 : -1);
      }
      case Kind::SRemainder: {
        const int b = with_sign(at(1), w);
        return b == 0 ? at(0) : static_cast<unsigned>(with_sign(at(0), w) % b);
      }
      case Kind::Extract:
        return at(0) >> term.low();
      case Kind::Concat:
        return at(0) << width(term.operand(1)) | at(1);
      case Kind::ZeroExtend:
        return at(0);
      case Kind::SignExtend:
        return static_cast<unsigned>(with_sign(at(0), w));
      case Kind::ULess:
        return at(0) < at(1) ? 1 : 0;
      case Kind::ULessEqual:
        return at(0) <= at(1) ? 1 : 0;
      case Kind::SLess:
        return with_sign(at(0), w) < with_sign(at(1), w) ? 1 : 0;
      case Kind::SLessEqual:
        return with_sign(at(0), w) <= with_sign(at(1), w) ? 1 : 0;
      default:
        throw std::logic_error("SmallSolver does not know this operator");
    }
  }

  std::vector<term::Term> asserted_;
  std::vector<std::size_t> marks_;
  std::vector<term::Term> assumptions_;
  /// By the variables. Programs ask about the same terms again and again.
  std::map<std::vector<term::Term>, States> all_states_;
  States* states_ = nullptr;
  term::Assignment model_;
};

}  // namespace agon::test
