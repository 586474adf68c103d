// SPDX-License-Identifier: Apache-2.0
/// Parts of reports as JSON, for the sources of this folder only.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "report/report.h"

namespace agon::report {

using Json = nlohmann::ordered_json;

/// Everything but statistics and models.
Json as_json(const Report& report);

Json to_json(const SpecificationGraph& graph);
Json to_json(const std::vector<evidence::Iteration>& history);

/// Models are large, so they are written in few words: cuts are
/// `[file, line, [predicates]]`; of each state its cut and, as a string of 0
/// and 1, the values of the predicates there; transitions are three numbers
/// each, one after the other.
Json to_json(const evidence::Model& model);

}  // namespace agon::report
