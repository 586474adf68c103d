// SPDX-License-Identifier: Apache-2.0
#include "spec/induction.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "spec/effects.h"
#include "support/error.h"

namespace agon::spec {
namespace {

/// By their entries.
std::vector<std::string> granted_entries(const ir::Program& program,
                                         const Woven& woven,
                                         ir::FunctionId entry) {
  std::vector<std::string> result;
  if (woven.promises.empty()) return result;
  const auto add_promises_of = [&](ir::FunctionId from) {
    const std::vector<bool> reached = reachable_functions(program, from);
    for (const auto& [own, entries] : woven.promises) {
      if (!reached[own.index()]) continue;
      for (const std::string& each : entries) {
        if (std::ranges::count(result, each) == 0) result.push_back(each);
      }
    }
  };
  add_promises_of(entry);
  for (std::size_t i = 0; i < result.size(); ++i) {
    add_promises_of(*program.find_function(result[i]));
  }
  return result;
}

}  // namespace

std::vector<const Question*> taken_for_granted(const ir::Program& program,
                                               const Woven& woven,
                                               const std::string& entry) {
  std::vector<const Question*> result;
  for (const std::string& each :
       granted_entries(program, woven, *program.find_function(entry))) {
    const auto question =
        std::ranges::find(woven.questions, each, &Question::entry);
    AGON_ASSERT(question != woven.questions.end());
    result.push_back(&*question);
  }
  return result;
}

std::optional<std::string> unproved(
    const ir::Program& program, const Woven& woven, const std::string& entry,
    const std::function<bool(const Question&)>& is_proved) {
  for (const Question* const each : taken_for_granted(program, woven, entry)) {
    if (!is_proved(*each)) return each->target;
  }
  return std::nullopt;
}

std::string takes_for_granted(const std::string& target) {
  return fmt::format(
      "the proof takes for granted that '{}' does what it is specified to do "
      "where it is called again, and that is not proved",
      target);
}

}  // namespace agon::spec
