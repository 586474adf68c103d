// SPDX-License-Identifier: Apache-2.0
/// Recorded interleavings, run again: each component in the interpreter, and
/// what they do together by the definition of a program (spec/composition.h).
#pragma once

#include <string>

#include "evidence/result.h"
#include "ir/program.h"
#include "spec/specification.h"

namespace agon::concurrent {

struct Rehearsed {
  /// What happens, for people; as far as it does.
  evidence::Counterexample shown;
  /// Why this is no violation; empty if it is one.
  std::string problem;
};

/// `program` is woven; `has_errors` as in question.h. Throws InputError if the
/// recordings are not those of the components. Where the specification has a
/// strategy against it that one execution does not show, only the execution is
/// looked at.
Rehearsed rehearse(const ir::Program& program,
                   const spec::ProgramQuestion& question, bool has_errors,
                   const evidence::Interleaving& interleaving);

}  // namespace agon::concurrent
