// SPDX-License-Identifier: Apache-2.0
#include "concurrent/composer.h"

#include <algorithm>
#include <set>

#include "support/error.h"

namespace agon::concurrent {

using lts::Label;

Composer::Composer(const Composition& composition,
                   std::vector<Quotient*> models)
    : composition_(composition),
      models_(std::move(models)),
      events_of_(composition.model_of.size()) {
  AGON_ASSERT(composition.model_of.size() <= 64);
  for (std::uint32_t e = 0; e < composition.events.size(); ++e) {
    for (const Participant& each : composition.events[e].participants) {
      for (const Label local : each.locals) {
        events_of_[each.component][local].push_back(e);
      }
    }
  }
}

Place Composer::initial() const {
  Place result;
  for (std::uint32_t i = 0; i < num_components(); ++i) {
    result.push_back(model(i).initial());
  }
  return result;
}

const std::vector<std::uint32_t>* Composer::events_of(std::uint32_t component,
                                                      Label local) const {
  const auto at = events_of_[component].find(local);
  return at != events_of_[component].end() ? &at->second : nullptr;
}

bool Composer::is_enabled(const Place& here, const Event& event) const {
  return std::ranges::all_of(event.participants, [&](const Participant& each) {
    return std::ranges::any_of(each.locals, [&](Label local) {
      return model(each.component).offers(here[each.component], local);
    });
  });
}

std::vector<Move> Composer::moves(const Place& here,
                                  std::uint64_t components) const {
  std::vector<Move> result;
  std::set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < here.size(); ++i) {
    if ((components & bit(i)) == 0) continue;
    for (const Label local : model(i).offers(here[i])) {
      if (local == lts::kTau) result.push_back({Move::kSilent, i});
      const auto* const events = events_of(i, local);
      if (events == nullptr) continue;
      for (const std::uint32_t e : *events) {
        if (seen.insert(e).second && is_enabled(here, composition_.events[e])) {
          result.push_back({e, i});
        }
      }
    }
  }
  return result;
}

std::uint64_t Composer::closure(const Place& here,
                                std::uint32_t component) const {
  std::uint64_t result = bit(component);
  std::vector<std::uint32_t> open{component};
  while (!open.empty()) {
    const std::uint32_t i = open.back();
    open.pop_back();
    for (const Label local : model(i).offers(here[i])) {
      const auto* const events = events_of(i, local);
      if (events == nullptr) continue;
      for (const std::uint32_t e : *events) {
        for (const Participant& each : composition_.events[e].participants) {
          if ((result & bit(each.component)) != 0) continue;
          result |= bit(each.component);
          open.push_back(each.component);
        }
      }
    }
  }
  return result;
}

void Composer::outcomes(const Place& here, const Move& move,
                        const std::function<void(const Place&)>& reach) const {
  Place there = here;
  if (!move.is_silent()) {
    combine(here, composition_.events[move.event], 0, there, reach);
    return;
  }
  const std::uint32_t i = move.component;
  const std::vector<Class> targets = model(i).targets(here[i], lts::kTau);
  for (const Class target : targets) {
    there[i] = target;
    reach(there);
  }
}

/// The participants before `next` have moved already.
void Composer::combine(const Place& here, const Event& event, std::size_t next,
                       Place& there,
                       const std::function<void(const Place&)>& reach) const {
  if (next == event.participants.size()) return reach(there);
  const std::uint32_t i = event.participants[next].component;
  std::set<Class> targets;
  for (const Label local : event.participants[next].locals) {
    if (!model(i).offers(here[i], local)) continue;
    const auto& more = model(i).targets(here[i], local);
    targets.insert(more.begin(), more.end());
  }
  for (const Class target : targets) {
    there[i] = target;
    combine(here, event, next + 1, there, reach);
  }
  there[i] = here[i];
}

}  // namespace agon::concurrent
