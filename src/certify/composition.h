// SPDX-License-Identifier: Apache-2.0
/// What components do together, and what the specification sees of it.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lts/lts.h"
#include "spec/specification.h"

namespace agon::certify {

/// Who takes part in an event, and by which of its own actions.
struct Participant {
  std::size_t component = 0;
  std::set<std::string> locals;
};

/// Something that all participants do at once.
struct Event {
  std::string label;  ///< What the specification sees; `tau`: nothing.
  std::vector<Participant> participants;
};

struct Composition {
  std::shared_ptr<const lts::Lts> spec;
  /// By component: the actions that matter.
  std::vector<std::set<std::string>> visible;
  std::vector<Event> events;
};

/// One procedure: every action of the specification's alphabet is an event.
Composition alone(std::shared_ptr<const lts::Lts> spec);

/// The components of a program: an action happens when all that know it perform
/// it (docs/concurrent.md). `has_errors`: the action `error` is forbidden.
Composition together(const spec::ProgramQuestion& question, bool has_errors);

}  // namespace agon::certify
