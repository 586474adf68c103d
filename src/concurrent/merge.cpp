// SPDX-License-Identifier: Apache-2.0
#include "concurrent/merge.h"

#include <utility>

#include "spec/specification.h"

namespace agon::concurrent {

using evidence::SourceStep;

Merger::Merger(const std::vector<std::string>& components,
               std::vector<std::vector<SourceStep>> steps)
    : steps_(std::move(steps)), next_(steps_.size()) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (SourceStep& step : steps_[i]) step.component = components[i];
  }
}

void Merger::happens(const std::string& event,
                     const std::vector<std::size_t>& components) {
  const bool is_start = event == spec::ProgramQuestion::kStart;
  if (!is_start) ++events_;
  for (const std::size_t each : components) take(each, event, is_start);
}

std::vector<SourceStep> Merger::finish(bool with_rest) {
  for (std::size_t i = 0; with_rest && i < steps_.size(); ++i) {
    while (next_[i] < steps_[i].size()) {
      merged_.push_back(std::move(steps_[i][next_[i]++]));
    }
  }
  return std::move(merged_);
}

void Merger::take(std::size_t component, const std::string& event,
                  bool is_start) {
  auto& steps = steps_[component];
  for (std::size_t& i = next_[component]; i < steps.size();) {
    SourceStep& step = steps[i++];
    const bool is_action = !step.action.empty();
    if (is_action) {
      step.action = event;
      step.text = event;
      step.event = events_;
    }
    if (!is_action || !is_start) merged_.push_back(std::move(step));
    if (is_action) return;
  }
}

}  // namespace agon::concurrent
