// SPDX-License-Identifier: Apache-2.0
/// A table of many results.
#pragma once

#include <string>

#include "report/report.h"

namespace agon::cli {

/// A line for each result and a last one that counts them; no line is longer
/// than 80 columns.
std::string summary(const report::Report& report, double time_s);

}  // namespace agon::cli
