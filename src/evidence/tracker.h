// SPDX-License-Identifier: Apache-2.0
/// Where a specification can be after a sequence of actions.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lts/lts.h"

namespace agon::evidence {

class Tracker {
 public:
  /// The specification has to outlive it.
  explicit Tracker(const lts::Lts& spec);

  /// False if the specification has no such move.
  bool take(const std::string& action);

  /// The visible actions that it can perform next.
  std::vector<std::string> allowed() const;

 private:
  std::set<lts::State> closure(std::set<lts::State> states) const;

  const lts::Lts& spec_;
  std::set<lts::State> states_;
};

}  // namespace agon::evidence
