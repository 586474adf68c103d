// SPDX-License-Identifier: Apache-2.0
/// Proofs about targets that call themselves. They are inductions on the depth
/// of calls, and complete only if all is proved that the inner calls are taken
/// to do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "spec/weave.h"

namespace agon::spec {

/// The questions whose answers a proof about `entry` takes for granted, with
/// those that their proofs take for granted. May list its own.
std::vector<const Question*> taken_for_granted(const ir::Program& program,
                                               const Woven& woven,
                                               const std::string& entry);

/// The target of a question whose answer a proof about `entry` takes for
/// granted, and which is not proved; nothing if there is none.
std::optional<std::string> unproved(
    const ir::Program& program, const Woven& woven, const std::string& entry,
    const std::function<bool(const Question&)>& is_proved);

/// Why such a proof is none.
std::string takes_for_granted(const std::string& target);

}  // namespace agon::spec
