// SPDX-License-Identifier: Apache-2.0
/// What the routines around a program can know in one execution.
#pragma once

#include <optional>
#include <string>

#include "evidence/recording.h"
#include "evidence/rests.h"
#include "ir/program.h"

namespace agon::verify {

/// Runs a recording and follows which addresses routines without a body have
/// got: as arguments, in variables that they see, or in memory that they know.
/// If one of them changes an object that it cannot know, and the program does
/// something else without that change, or if one comes to a pointer that it
/// cannot have, says so: the execution may not be one of the program. `program`
/// is as in record.h.
std::optional<std::string> change_without_knowledge(
    const ir::Program& program, const evidence::Recording& recording,
    evidence::Until until = evidence::Until::LastAction);

}  // namespace agon::verify
