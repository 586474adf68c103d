// SPDX-License-Identifier: Apache-2.0
/// What memory holds at the start of an execution, as far as that looks at it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "refine/feasibility.h"
#include "verify/sequential.h"

namespace agon::verify {

/// The places in memory that a path reads before it writes to that memory, in
/// the words of the source, with what they hold: `q->size` and 8. No more than
/// a reader can take in.
std::vector<std::pair<std::string, std::string>> first_reads(
    const Task& task, const ir::Cfa& body, const refine::Execution& run,
    const term::Assignment& initial);

}  // namespace agon::verify
