// SPDX-License-Identifier: Apache-2.0
/// From a `verify program` to what is asked about its components.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/program.h"
#include "ir/unreached.h"
#include "spec/generate.h"
#include "spec/processes.h"
#include "spec/specification.h"

namespace agon::spec {

/// Components that are the same routine under the same guard, which share one
/// function of the fragments.
struct ComponentWrapper {
  std::string function;
  std::string routine;
  std::optional<CText> guard;
  ReturnClasses classes;
  Offset offset = 0;  ///< Of the first of them.
};

struct ProgramParts {
  ProgramQuestion question;
  std::vector<ComponentWrapper> wrappers;
};

/// `process` is null for `deadlock-free`. `number` makes names unique. Throws
/// InputError.
ProgramParts make_program(const File& file, std::size_t file_number,
                          const ProgramDef& def, const Process* process,
                          const Processes& processes, std::size_t number);

/// Assumes the guard, performs ProgramQuestion::kStart, calls the routine, and
/// performs the action of the class that its result is in. For a routine that
/// returns something, or nothing.
ir::Fragment component_wrapper(const support::Source& source,
                               const ComponentWrapper& wrapper,
                               std::size_t number, ir::Fragment::Only only,
                               const ActionNames& action);

}  // namespace agon::spec
