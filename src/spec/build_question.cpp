// SPDX-License-Identifier: Apache-2.0
#include "spec/build_question.h"

#include "spec/scanner.h"
#include "support/suggest.h"

namespace agon::spec {

using lts::Label;
using lts::State;

std::string trimmed_text(const CText& text) { return trimmed(text).text; }

std::vector<Unperformed> find_unperformed(
    const std::set<std::string>& alphabet,
    const std::set<std::string>& performed) {
  const std::vector<std::string> known(performed.begin(), performed.end());
  std::vector<Unperformed> result;
  for (const std::string& label : alphabet) {
    if (performed.contains(label)) continue;
    result.push_back({label, support::did_you_mean(label, known)});
  }
  return result;
}

lts::Lts split_returns(const Process& process, const ReturnClasses& classes,
                       const std::set<std::string>& outside) {
  const lts::Lts& from = process.lts;
  lts::LtsBuilder builder(from.labels());
  std::vector<Label> class_labels;
  if (!classes.conditions().empty()) {
    for (const ReturnClass& each : classes.classes()) {
      class_labels.push_back(from.labels()->intern(each.label));
      builder.extend_alphabet(class_labels.back());
    }
  }
  for (const std::string& label : outside) {
    builder.extend_alphabet(from.labels()->intern(label));
  }
  for (const Label label : from.alphabet()) {
    if (process.condition(label) == nullptr) builder.extend_alphabet(label);
  }
  builder.ensure_states(from.num_states());
  builder.set_initial(from.initial());
  for (std::size_t i = 0; i < from.num_states(); ++i) {
    builder.set_kind(State::at(i), from.kind(State::at(i)));
    for (const lts::Transition& step : from.out(State::at(i))) {
      if (from.kind(step.target) == lts::StateKind::Error) continue;
      const std::uint32_t number = process.return_of[step.label.index()];
      if (number == 0) {
        builder.add_transition(State::at(i), step.label, step.target);
        continue;
      }
      for (std::size_t c = 0; c < class_labels.size(); ++c) {
        if (!classes.classes()[c].meets[number - 1]) continue;
        builder.add_transition(State::at(i), class_labels[c], step.target);
      }
    }
  }
  return std::move(builder).build();
}

}  // namespace agon::spec
