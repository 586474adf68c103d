// SPDX-License-Identifier: Apache-2.0
/// Harnesses for violations that were recorded.
#pragma once

#include <string>

#include "cli/questions.h"
#include "evidence/script.h"
#include "spec/specification.h"

namespace agon::cli {

/// What the user has written and what not. `program` is as it was lowered,
/// before anything was woven in.
evidence::Surroundings surroundings(const ir::Program& program,
                                    const spec::Specification* specification,
                                    std::vector<std::string> errors);

/// Writes a harness to the file, unless there is one already, and says so.
void write_harness(const std::string& path, const ir::Program& program,
                   const AskedQuestion& question,
                   const evidence::Recording* recording, Session& session);

}  // namespace agon::cli
