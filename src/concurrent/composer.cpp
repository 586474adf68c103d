// SPDX-License-Identifier: Apache-2.0
#include "concurrent/composer.h"

#include <algorithm>
#include <bit>

#include "support/error.h"
#include "support/sort_unique.h"

namespace agon::concurrent {

using lts::Label;

Composer::Composer(const Composition& composition,
                   std::vector<Quotient*> models, std::uint64_t present)
    : composition_(composition),
      models_(std::move(models)),
      present_(present),
      participants_(composition.events.size()),
      events_of_(composition.model_of.size()),
      offers_(composition.model_of.size()) {
  AGON_ASSERT(composition.model_of.size() <= 64);
  for (std::uint32_t e = 0; e < composition.events.size(); ++e) {
    for (const Participant& each : composition.events[e].participants) {
      if (!is_present(each.component)) continue;
      participants_[e].push_back(each);
      for (const Label local : each.locals) {
        events_of_[each.component][local].push_back(e);
      }
    }
    const bool is_visible = composition.events[e].visible != lts::kTau;
    if (participants_[e].empty() && is_visible) free_.push_back(e);
  }
}

bool Composer::is_present_of(std::uint32_t model) const {
  for (std::uint32_t i = 0; i < num_components(); ++i) {
    if (composition_.model_of[i] == model && is_present(i)) return true;
  }
  return false;
}

Place Composer::initial() const {
  Place result;
  for (std::uint32_t i = 0; i < num_components(); ++i) {
    result.push_back(is_present(i) ? model(i).initial() : Class());
  }
  return result;
}

Composer::Offer Composer::find_offer(std::uint32_t component, Class c) const {
  Offer result{model(component).offers(c, lts::kTau), bit(component), {}};
  for (const Label local : model(component).offers(c)) {
    const auto at = events_of_[component].find(local);
    if (at == events_of_[component].end()) continue;
    for (const std::uint32_t e : at->second) {
      result.events.push_back(e);
      for (const Participant& each : participants_[e]) {
        result.partners |= bit(each.component);
      }
    }
  }
  support::sort_unique(result.events);
  return result;
}

const Composer::Offer& Composer::offer(const Place& here,
                                       std::uint32_t component) const {
  auto& known = offers_[component];
  const std::size_t at = here[component].index();
  if (known.size() <= at) known.resize(std::max(at + 1, 2 * known.size()));
  if (!known[at]) known[at] = find_offer(component, here[component]);
  return *known[at];
}

bool Composer::is_offered(const Place& here, std::uint32_t event) const {
  return std::ranges::all_of(participants_[event],
                             [&](const Participant& each) {
                               return std::ranges::binary_search(
                                   offer(here, each.component).events, event);
                             });
}

std::vector<Move> Composer::moves(const Place& here,
                                  std::uint64_t components) const {
  std::vector<Move> result;
  bool has_started = true;
  for (std::uint32_t i = 0; i < here.size(); ++i) {
    if ((components & present_ & bit(i)) == 0) continue;
    const Offer& own = offer(here, i);
    if (own.is_silent) result.push_back({Move::kSilent, i});
    for (const std::uint32_t e : own.events) {
      has_started = has_started && e != composition_.start;
      // It is listed with the first of them who takes part.
      const bool is_listed =
          std::ranges::any_of(participants_[e], [&](const Participant& each) {
            return each.component < i &&
                   (components & bit(each.component)) != 0;
          });
      if (!is_listed && is_offered(here, e)) result.push_back({e, i});
    }
  }
  if (components == kAllComponents && has_started) {
    for (const std::uint32_t e : free_) result.push_back({e, 0});
  }
  return result;
}

std::uint64_t Composer::closure(const Place& here,
                                std::uint32_t component) const {
  std::uint64_t result = bit(component);
  std::uint64_t open = result;
  while (open != 0) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(open));
    open &= ~bit(i);
    const std::uint64_t more = offer(here, i).partners & ~result;
    result |= more;
    open |= more;
  }
  return result;
}

std::vector<std::uint64_t> Composer::independent_groups(
    const Place& here) const {
  std::vector<std::uint64_t> result;
  for (std::uint32_t i = 0; i < here.size(); ++i) {
    if (!here[i].valid()) continue;
    const std::uint64_t group = closure(here, i);
    const auto size = static_cast<std::size_t>(std::popcount(group));
    const bool is_new = std::ranges::count(result, group) == 0;
    if (size < here.size() && is_new) result.push_back(group);
  }
  return result;
}

void Composer::outcomes(const Place& here, const Move& move,
                        const std::function<void(const Place&)>& reach) const {
  Place there = here;
  if (!move.is_silent()) {
    combine(here, participants_[move.event], 0, there, reach);
    return;
  }
  const std::uint32_t i = move.component;
  const std::vector<Class> targets = model(i).targets(here[i], lts::kTau);
  for (const Class target : targets) {
    there[i] = target;
    reach(there);
  }
}

std::size_t Composer::num_outcomes(const Place& here, const Move& move) const {
  if (move.is_silent()) {
    const std::uint32_t i = move.component;
    return model(i).targets(here[i], lts::kTau).size();
  }
  std::size_t result = 1;
  for (const Participant& each : participants_[move.event]) {
    result *= targets(here, each).size();
  }
  return result;
}

/// Where a participant may get to.
std::set<Class> Composer::targets(const Place& here,
                                  const Participant& who) const {
  const std::uint32_t i = who.component;
  std::set<Class> result;
  for (const Label local : who.locals) {
    if (!model(i).offers(here[i], local)) continue;
    const auto& more = model(i).targets(here[i], local);
    result.insert(more.begin(), more.end());
  }
  return result;
}

/// The participants before `next` have moved already.
void Composer::combine(const Place& here, const Participants& who,
                       std::size_t next, Place& there,
                       const std::function<void(const Place&)>& reach) const {
  if (next == who.size()) return reach(there);
  const std::uint32_t i = who[next].component;
  for (const Class target : targets(here, who[next])) {
    there[i] = target;
    combine(here, who, next + 1, there, reach);
  }
  there[i] = here[i];
}

}  // namespace agon::concurrent
