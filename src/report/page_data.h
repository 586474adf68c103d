// SPDX-License-Identifier: Apache-2.0
/// What a page is about, as JSON that can stand in HTML.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/html.h"
#include "report/report.h"

namespace agon::report {

/// Everything that fits into so many bytes. If that is not all, models lose
/// their last states, sources their ends, and at last long paths their middle;
/// the page can tell what is missing.
std::string page_data(const Report& report, std::span<const SourceText> sources,
                      std::size_t most_bytes);

}  // namespace agon::report
