// SPDX-License-Identifier: Apache-2.0
/// Programs from the C files that the user names.
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "frontend/frontend.h"
#include "ir/program.h"
#include "ir/routines.h"

namespace agon::cli {

/// C files, and how the compiler is to read them.
struct CInput {
  std::vector<std::string> files;
  frontend::Options options;
};

/// A file with its digest, for those who want to know later whether it is the
/// same.
evidence::Inputs::File note_file(const std::string& path);

/// The files as one program. Throws InputError. The report gets to know what
/// they are.
ir::Program load_program(const CInput& input, Session& session);
/// The same with what the files call where no way leads to.
frontend::Lowered load_all(const CInput& input, Session& session);

/// The function with a body that the user means. Throws InputError, with the
/// nearest name, if there is none.
ir::FunctionId find_function(const ir::Program& program,
                             const std::string& name);

using ir::assume_routines;

/// Enters an assumption into the report unless it is there.
void add_assumption(ReportedAssumption assumption, Report& report);

/// Copies the assumptions of a program into the report, each once. `names` is
/// the program as it was lowered, which knows all routines.
void report_assumptions(const ir::Program& program, const ir::Program& names,
                        Report& report);
inline void report_assumptions(const ir::Program& program, Report& report) {
  report_assumptions(program, program, report);
}

/// Says in the text what was assumed.
void print_assumptions(Session& session);

}  // namespace agon::cli
