// SPDX-License-Identifier: Apache-2.0
#include "fsp/transform.h"

#include <algorithm>
#include <span>
#include <utility>

#include "lts/bisimulation.h"
#include "lts/determinise.h"

namespace agon::fsp {
namespace {

using lts::Label;
using lts::Lts;
using lts::LtsBuilder;
using lts::State;
using lts::StateKind;

/// The length of the longest prefix of `name`, by whole parts, that `known`
/// accepts; npos if there is none.
template <class Known>
std::size_t longest_prefix(const std::string& name, const Known& known) {
  std::size_t length = name.size();
  while (!known.contains(name.substr(0, length))) {
    length = length == 0 ? std::string::npos : name.rfind('.', length - 1);
    if (length == std::string::npos) break;
  }
  return length;
}

Lts rename_explicit(const Lts& lts, const lts::Relabelling& relabelling) {
  LtsBuilder builder(lts.labels());
  builder.ensure_states(lts.num_states());
  builder.set_initial(lts.initial());
  const auto for_each_image = [&](Label label, const auto& use) {
    const auto images = relabelling.find(label);
    if (images == relabelling.end()) return use(label);
    for (const Label image : images->second) use(image);
  };
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    const State source = State::at(i);
    builder.set_kind(source, lts.kind(source));
    for (const lts::Transition& t : lts.out(source)) {
      for_each_image(t.label, [&](Label label) {
        builder.add_transition(source, label, t.target);
      });
    }
  }
  for (const Label label : lts.alphabet()) {
    for_each_image(label, [&](Label image) {
      if (image != lts::kTau) builder.extend_alphabet(image);
    });
  }
  return std::move(builder).build();
}

}  // namespace

bool matches(const NameSet& set, const std::string& name) {
  return longest_prefix(name, set) != std::string::npos;
}

lts::Relabelling relabelling(const Renaming& renaming,
                             std::span<const Label> alphabet,
                             lts::LabelTable& labels) {
  lts::Relabelling result;
  for (const Label label : alphabet) {
    const std::string name = labels.name(label);
    const std::size_t length = longest_prefix(name, renaming);
    if (length == std::string::npos) continue;
    std::vector<Label>& images = result[label];
    for (const std::string& prefix : renaming.at(name.substr(0, length))) {
      images.push_back(labels.intern(prefix + name.substr(length)));
    }
  }
  return result;
}

bool merges(const lts::Relabelling& relabelling,
            std::span<const Label> alphabet) {
  std::unordered_set<Label> seen;
  for (const Label label : alphabet) {
    const auto images = relabelling.find(label);
    if (images == relabelling.end()) {
      if (!seen.insert(label).second) return true;
      continue;
    }
    std::vector<Label> distinct = images->second;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()),
                   distinct.end());
    for (const Label image : distinct) {
      if (!seen.insert(image).second) return true;
    }
  }
  return false;
}

std::unique_ptr<lts::Successors> rename(std::unique_ptr<lts::Successors> system,
                                        lts::Relabelling relabelling) {
  if (relabelling.empty()) return system;
  if (const Lts* lts = system->as_explicit()) {
    return std::make_unique<lts::ExplicitSuccessors>(
        std::make_shared<const Lts>(rename_explicit(*lts, relabelling)));
  }
  return lts::relabel(std::move(system), std::move(relabelling));
}

Lts minimise(const Lts& lts, support::Context& context) {
  if (lts::info(lts).silent == 0) {
    return lts::quotient(lts, lts::strong_bisimulation(lts), lts::Inert::Keep);
  }
  return lts::quotient(lts, lts::weak_bisimulation(lts, context),
                       lts::Inert::Drop);
}

Lts make_deterministic(const Lts& lts, support::Context& context) {
  const Lts result = lts::determinise(lts, lts::Silent::Hidden, context);
  return lts::quotient(result, lts::strong_bisimulation(result),
                       lts::Inert::Keep);
}

bool is_deterministic(const Lts& lts) { return lts::info(lts).deterministic; }

Lts complete_property(const Lts& lts) {
  LtsBuilder builder(lts.labels());
  builder.ensure_states(lts.num_states());
  builder.set_initial(lts.initial());
  State error;
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    if (lts.kind(State::at(i)) != StateKind::Error) continue;
    error = State::at(i);
    builder.set_kind(error, StateKind::Error);
  }
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    const State source = State::at(i);
    if (lts.kind(source) == StateKind::Error) continue;
    const auto offered = lts.out(source);
    for (const lts::Transition& t : offered) {
      builder.add_transition(source, t.label, t.target);
    }
    for (const Label label : lts.alphabet()) {
      if (std::ranges::binary_search(offered, label, {},
                                     &lts::Transition::label)) {
        continue;
      }
      if (!error.valid()) error = builder.add_state(StateKind::Error);
      builder.add_transition(source, label, error);
    }
  }
  for (const Label label : lts.alphabet()) builder.extend_alphabet(label);
  return std::move(builder).build();
}

}  // namespace agon::fsp
