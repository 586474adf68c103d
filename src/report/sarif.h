// SPDX-License-Identifier: Apache-2.0
/// The report as SARIF 2.1.0, which editors and code hosts read.
#pragma once

#include <string>

#include "report/report.h"

namespace agon::report {

struct SarifOptions {
  /// The directory that paths are relative to; absolute.
  std::string root;
  int exit_code = 0;
};

/// Violations are errors with their path as a code flow, one thread for each
/// component; what was not decided is a note; what was taken for granted is a
/// notification. Fingerprints depend neither on lines nor on where the sources
/// lie, and GitHub's limits are kept.
std::string to_sarif(const Report& report, const SarifOptions& options);

}  // namespace agon::report
