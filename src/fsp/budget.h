// SPDX-License-Identifier: Apache-2.0
/// A bound on what a text may expand to, so that a small file with large ranges
/// ends in a message and not in swapping.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "fsp/ast.h"
#include "support/context.h"
#include "support/source.h"

namespace agon::fsp {

class Budget {
 public:
  /// Applies even if the limits of the context are higher: what is written
  /// out here is meant to be composed, and compositions are not counted.
  static constexpr std::size_t kMost = 10'000'000;

  /// Both have to outlive the budget.
  Budget(const support::Source& source, support::Context& context)
      : source_(source),
        context_(context),
        limit_(context.limits().max_states == 0
                   ? kMost
                   : std::min(kMost, context.limits().max_states)) {}

  /// Takes account of work for the text at `offset`: labels, states and
  /// transitions count one each, longer labels more. Fails if it is too much.
  void charge(std::size_t amount, Offset offset) {
    if (amount > limit_ - used_) too_large(offset);
    used_ += amount;
    if (const auto& reason = context_.exhausted()) {
      source_.fail(offset, *reason + " while expanding this");
    }
  }

  std::size_t left() const { return limit_ - used_; }

  [[noreturn]] void too_large(Offset offset) const {
    source_.fail(offset, "this expands to more than " + std::to_string(limit_) +
                             " labels, states and transitions");
  }

 private:
  const support::Source& source_;
  support::Context& context_;
  std::size_t limit_;
  std::size_t used_ = 0;
};

}  // namespace agon::fsp
