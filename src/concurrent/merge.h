// SPDX-License-Identifier: Apache-2.0
/// Steps of several components in one order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evidence/result.h"

namespace agon::concurrent {

/// What a component does before an event comes when it is its next one.
class Merger {
 public:
  Merger(const std::vector<std::string>& components,
         std::vector<std::vector<evidence::SourceStep>> steps);

  /// The next action of each of these components is this event.
  void happens(const std::string& event,
               const std::vector<std::size_t>& components);

  /// With what components do after their last event, if that is wanted.
  std::vector<evidence::SourceStep> finish(bool with_rest);

 private:
  void take(std::size_t component, const std::string& event, bool is_start);

  std::vector<std::vector<evidence::SourceStep>> steps_;  // By component.
  std::vector<std::size_t> next_;
  std::vector<evidence::SourceStep> merged_;
  std::size_t events_ = 0;
};

}  // namespace agon::concurrent
