// SPDX-License-Identifier: Apache-2.0
/// Domains that know an interval for each variable, and nothing about how
/// variables relate. Derived ones say which intervals there are.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "domain/domain.h"
#include "domain/range.h"

namespace agon::domain {

/// An interval for each variable that is followed.
using Box = std::vector<Range>;

class BoxDomain : public Domain {
 public:
  explicit BoxDomain(const Setting& setting);

  Value top() const override;
  std::vector<Value> post(const Value& value,
                          const ir::Assign& assign) override;
  std::vector<Value> post(const Value& value, const ir::Havoc& havoc) override;
  std::vector<Value> filter(const Value& value, term::Term condition) override;
  bool is_below(const Value& a, const Value& b) const override;
  Value join(const Value& a, const Value& b) const override;
  Value widen(const Value& a, const Value& b) const override;
  /// The values of flags: variables to which only constants are assigned.
  Value situation(const Value& value) const override;
  Value keep(const Value& value, const Keep& is_kept) const override;
  term::Term concretise(const Value& value) const override;

 protected:
  /// The intervals of the domain that together hold `range`, which is what an
  /// assignment or a condition left of a variable.
  virtual std::vector<Range> pieces(std::size_t variable,
                                    const Range& range) const = 0;
  /// The intervals that a choice of a value can be cut into.
  virtual std::vector<Range> choices(std::size_t variable) const = 0;
  /// An interval of the domain that holds both, such that there is no long
  /// chain of them.
  virtual Range widen_range(std::size_t variable, const Range& a,
                            const Range& b) const = 0;

  const ir::Program& program() const { return program_; }
  std::size_t num_variables() const { return variables_.size(); }
  term::Term variable(std::size_t i) const { return terms_[i]; }
  const ir::Cfa& body() const { return body_; }

 private:
  Box unpack(const Value& value) const;
  Value pack(const Box& box) const;
  /// The variable that is followed, or num_variables().
  std::size_t index_of(term::Term variable) const;

  /// Below some depth of a term, anything is possible.
  static constexpr unsigned kDepth = 24;
  Range evaluate(term::Term term, const Box& box,
                 unsigned depth = kDepth) const;
  std::optional<bool> decide(term::Term condition, const Box& box,
                             unsigned depth = kDepth) const;

  /// The states after an assignment. A conditional value is assigned case by
  /// case, if this does not give too many.
  std::set<Value> assign_cases(const Value& value, std::size_t target,
                               term::Term assigned, unsigned depth);
  static constexpr unsigned kMostCases = 2;  // One inside the other.
  static constexpr std::size_t kMostParts = 8;

  /// That one condition may give.
  static constexpr std::size_t kMostBoxes = 64;

  void narrow(Box box, term::Term condition, bool positive,
              std::vector<Box>& to) const;
  void narrow_all(const Box& box, std::span<const term::Term> conditions,
                  bool positive, std::vector<Box>& to) const;
  void narrow_equal(Box box, term::Term a, term::Term b, bool positive,
                    std::vector<Box>& to) const;
  void narrow_less(Box box, term::Term a, term::Term b, bool is_strict,
                   std::vector<Box>& to) const;
  void narrow_unsigned(const Box& box, term::Term a, term::Term b,
                       bool is_strict, std::vector<Box>& to) const;
  bool meet(Box& box, term::Term term, const Range& range) const;

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::vector<ir::VariableId> variables_;
  std::vector<term::Term> terms_;
  std::unordered_map<term::Term, std::size_t> index_;
  std::vector<std::size_t> flags_;
};

}  // namespace agon::domain
