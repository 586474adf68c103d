// SPDX-License-Identifier: Apache-2.0
/// Many questions at once, each in a process of its own, so that one that
/// crashes or hangs costs no other its answer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/session.h"

namespace agon::cli {

/// One piece of work. `run` is called in another process.
struct Job {
  std::string spec;    ///< A file; for the report.
  std::string target;  ///< Of it.
  std::function<ExitCode(Session&)> run;
};

/// Does the jobs, `jobs_at_once` at a time, and puts texts, results and a
/// summary into the session, in the order of the jobs. The limits of the
/// session hold for each job. The answer is the worst of all: violated, then
/// internal error, bad input, unknown, holds.
ExitCode run_batch(std::vector<Job> jobs, std::size_t jobs_at_once,
                   Session& session);

/// The worse of two exit codes, in this order.
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace agon::cli
