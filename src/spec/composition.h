// SPDX-License-Identifier: Apache-2.0
/// What components do together, and what the specification sees of it.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"
#include "lts/lts.h"
#include "spec/specification.h"

namespace agon::spec {

/// Who takes part in an event, and by which of its own actions.
struct Participant {
  std::size_t component = 0;
  std::set<std::string> locals;
};

/// Something that all participants do at once.
struct Event {
  std::string name;
  std::string label;  ///< What the specification sees; `tau`: nothing.
  std::vector<Participant> participants;
};

struct Composition {
  std::shared_ptr<const lts::Lts> spec;
  /// By component: the actions that matter.
  std::vector<std::set<std::string>> visible;
  std::vector<Event> events;
  /// Whether it is asked if they can get stuck. Then `spec` allows all.
  bool asks_for_deadlocks = false;
  /// By component, if so: the actions after which it has ended.
  std::vector<std::set<std::string>> endings;
};

/// One procedure: every action of the specification's alphabet is an event.
Composition alone(std::shared_ptr<const lts::Lts> spec);

/// The components of a program: an action happens when all that know it perform
/// it (docs/concurrent.md). `has_errors`: the action `error` is forbidden.
Composition together(const ProgramQuestion& question, bool has_errors);

/// A component that exits has ended, as if it had returned: makes this an
/// action, which matters where deadlocks are looked for.
void mark_exits(ir::Program& program);

}  // namespace agon::spec
