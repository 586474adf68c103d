// SPDX-License-Identifier: Apache-2.0
/// Reports as one HTML file that needs nothing else.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace agon::report {

/// A file of the user.
struct SourceText {
  std::string name;
  std::string text;     ///< In any encoding; what is not UTF-8 is replaced.
  bool is_cut = false;  ///< Whether it goes on.
};

/// The names of all files that the report speaks of, each once: those in
/// `first`, then others.
std::vector<std::string> mentioned_files(const Report& report,
                                         const std::vector<std::string>& first);

/// The page, whose script finds the report and the sources in it as JSON.
std::string to_html(const Report& report, std::span<const SourceText> sources);

/// The page without data, as it was built from web/. The data stand at the line
/// `@agon-data@`.
std::string_view page_text();

}  // namespace agon::report
