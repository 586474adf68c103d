// SPDX-License-Identifier: Apache-2.0
/// The report as JUnit's XML, which continuous integration reads.
#pragma once

#include <string>

#include "report/report.h"

namespace agon::report {

/// One test case for each question. A violation is a failure, and what was not
/// decided an error, since nobody should take it for a success.
std::string to_junit(const Report& report);

/// Text as a part of XML: what XML cannot hold becomes a replacement character.
std::string xml_text(std::string_view text);

}  // namespace agon::report
