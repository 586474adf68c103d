// SPDX-License-Identifier: Apache-2.0
/// From a question to an answer: once, or again where the first one may rest on
/// what stands for something else.
#pragma once

#include <string>
#include <vector>

#include "cli/questions.h"

namespace agon::cli {

/// Decides a question.
evidence::Result decide(const ir::Program& program,
                        const AskedQuestion& question,
                        const EngineOptions& options, Session& session);

/// Decides it with the calls themselves where abstractions stand for them, to a
/// depth. `reason`: why this is necessary.
evidence::Result decide_unfolded(const ir::Program& program,
                                 const AskedQuestion& question,
                                 const std::string& reason,
                                 const EngineOptions& options,
                                 Session& session);

/// Whether an execution may get to an abstraction that stands for a target
/// which calls itself: it may do more than the target.
bool relies_on_abstraction(const ir::Program& program, ir::FunctionId entry,
                           const OwnAbstractions& own);

/// Routines of the C library on which a violation may rest, because they are
/// taken to return anything: those that matter in the recording or, without
/// one, all that can be called.
std::vector<std::string> library_calls(const ir::Program& program,
                                       ir::FunctionId entry,
                                       const evidence::Recording* recording);

/// Why a violation that rests on these routines was not decided with what the
/// C standard says about them.
std::string rests_on_library(const std::vector<std::string>& names,
                             const std::string& reason);

/// An answer that turned out to be none.
evidence::Result as_unknown(evidence::Result result, std::string reason);

/// The specification that the action never happens.
lts::Lts never(const std::string& action);

}  // namespace agon::cli
