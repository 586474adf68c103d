// SPDX-License-Identifier: Apache-2.0
/// Where execution does nothing but what others take part in.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"

namespace agon::ir {

/// What the locations of a body wait for whose only calls are actions. It
/// depends on nothing but the location.
struct Waiting {
  /// By location: the actions one of which comes next, whichever others take
  /// part in; nothing where execution goes on by itself.
  std::vector<std::optional<std::set<FunctionId>>> offers;
  /// Whether a choice of a process (fragment.h) could not be found again among
  /// the statements, so that execution waits for less than the process offers.
  bool has_unclear_choice = false;
};

/// A location with an action has no other edge. It is a place to wait at,
/// except where a process chooses between actions: that is one place before the
/// choice, or none if there is a silent way as well.
Waiting find_waiting(const Program& program, const Cfa& body);

enum class Rest : std::uint8_t {
  None,     ///< It runs on by itself.
  Waiting,  ///< It does nothing but what it offers.
  Ended,    ///< It has returned.
};

/// What a component of a program does at a location.
struct Resting {
  Rest rest = Rest::None;
  std::set<std::string> offers;  ///< If it waits: labels.
};

/// By location. Behind the action `stop` nothing is offered, and so where
/// nothing follows. After one of `endings` it has ended; where something else
/// leads to, too, this is not sure, and nothing is offered.
std::vector<Resting> find_rests(const Program& program, const Cfa& body,
                                const std::set<std::string>& endings,
                                const std::string& stop);

}  // namespace agon::ir
