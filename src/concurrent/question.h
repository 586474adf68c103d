// SPDX-License-Identifier: Apache-2.0
/// From a program and a specification to a task for the engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "concurrent/composer.h"
#include "ir/program.h"
#include "lts/lts.h"
#include "spec/specification.h"
#include "support/context.h"
#include "verify/question.h"

namespace agon::concurrent {

/// Components that run the same function, and so have the same abstractions.
struct Model {
  /// What was prepared.
  ir::Program program;
  ir::FunctionId entry;
  bool any_state = false;
  verify::Prepared prepared;
  /// Only an alphabet: the actions that matter, as the function performs them.
  lts::Lts actions;
  /// Those after which nothing comes, since it has returned or exited.
  std::vector<std::string> endings;
};

struct Prepared {
  std::vector<std::string> components;
  std::vector<std::unique_ptr<Model>> models;
  Composition composition;
  /// Null where deadlocks are looked for.
  std::shared_ptr<const lts::Lts> spec;
  /// Why the task cannot be decided, if it cannot.
  std::optional<std::string> reason;
};

/// `program` is woven. `has_errors`: what must not happen in any component is
/// the action `error` already.
Prepared prepare(const ir::Program& program,
                 const spec::ProgramQuestion& question, bool has_errors,
                 verify::Integers integers, support::Context& context);

}  // namespace agon::concurrent
