// SPDX-License-Identifier: Apache-2.0
/// Answers and reports as bytes, for a file or another process. Nothing is
/// lost, whatever text they contain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "evidence/result.h"
#include "report/report.h"

namespace agon::report {

/// What is known about a question, and what the answer rests on.
struct Answer {
  evidence::Result result;
  std::vector<ReportedAssumption> assumptions;
  /// All places of the program that was asked about, in the order of its text:
  /// an index into `files`, a line and a column.
  std::vector<std::string> files;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> places;
};

/// What another process has done.
struct Work {
  Report report;
  std::string text;
  std::vector<std::string> files;  ///< Those that were read.
  support::Statistics statistics;
  int exit_code = 4;
  std::string error;  ///< Why it could not be done; empty if it was.
  std::vector<std::pair<int, std::string>> messages;  ///< Level and text.
};

std::string pack(const Answer& answer);
std::string pack(const Work& work);

/// What was packed; nothing if the bytes are something else.
std::optional<Answer> unpack_answer(std::string_view bytes);
std::optional<Work> unpack_work(std::string_view bytes);

}  // namespace agon::report
