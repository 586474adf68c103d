// SPDX-License-Identifier: Apache-2.0
/// Programs that a verdict is about where it is not the one that was given.
#pragma once

#include "cli/questions.h"
#include "evidence/recording.h"
#include "ir/program.h"

namespace agon::cli {

/// The program of a question with bodies for the C library, with the calls that
/// abstractions stand for, or both.
ir::Program variant_of(const ir::Program& program,
                       const AskedQuestion& question,
                       const evidence::Recording::Variant& variant);

}  // namespace agon::cli
