// SPDX-License-Identifier: Apache-2.0
/// What variables hold during symbolic execution, as terms.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "abstraction/memory_terms.h"
#include "ir/program.h"

namespace agon::abstraction {

/// A map from variables to terms, sorted and small: a variable that is not in
/// it has its own term as its value.
class Values {
 public:
  using Entry = std::pair<ir::VariableId, term::Term>;

  /// The value of a variable; invalid if it is its own.
  term::Term find(ir::VariableId variable) const {
    const auto at = position(variable);
    return at != entries_.end() && at->first == variable ? at->second
                                                         : term::Term();
  }

  void set(ir::VariableId variable, term::Term value) {
    const auto at = entries_.begin() + (position(variable) - entries_.begin());
    if (at != entries_.end() && at->first == variable) {
      at->second = value;
    } else {
      entries_.insert(at, {variable, value});
    }
  }

  template <class Keep>
  void keep_if(Keep&& keep) {
    std::erase_if(entries_, [&](const Entry& e) { return !keep(e.first); });
  }

  /// Adds an entry behind all others.
  void append(ir::VariableId variable, term::Term value) {
    entries_.emplace_back(variable, value);
  }

  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }

  friend bool operator==(const Values&, const Values&) = default;

 private:
  std::vector<Entry>::const_iterator position(ir::VariableId variable) const {
    return std::ranges::lower_bound(entries_, variable, {}, &Entry::first);
  }

  std::vector<Entry> entries_;
};

/// Replaces variables by their values, all at once. Keeps a table over all
/// terms, so make one and use it often.
class Rewriter {
 public:
  explicit Rewriter(const ir::Program& program)
      : program_(program), memory_(program) {}

  term::Term operator()(term::Term term, const Values& values);

  MemoryTerms& memory() { return memory_; }

 private:
  struct Known {
    std::uint32_t round = 0;
    term::Term result;
  };

  term::Term rewrite(term::Term term, const Values& values);
  term::Term rebuild(term::Term original, std::span<const term::Term> operands);

  const ir::Program& program_;
  MemoryTerms memory_;
  std::uint32_t round_ = 0;
  std::vector<Known> known_;  // By term id.
};

}  // namespace agon::abstraction
