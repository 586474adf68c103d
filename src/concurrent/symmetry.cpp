// SPDX-License-Identifier: Apache-2.0
#include "concurrent/symmetry.h"

#include <algorithm>

namespace agon::concurrent {

using lts::Label;

namespace {

using Events = std::vector<Event>;

const Participant* participant(const Event& event, std::uint32_t component) {
  const auto at =
      std::ranges::find(event.participants, component, &Participant::component);
  return at == event.participants.end() ? nullptr : &*at;
}

/// Whether one component does in an event what another does in another event.
bool is_same_part(const Event& a, std::uint32_t i, const Event& b,
                  std::uint32_t j) {
  const Participant* const one = participant(a, i);
  const Participant* const other = participant(b, j);
  if (one == nullptr || other == nullptr) return one == other;
  return one->locals == other->locals;
}

bool specification_sees_no_difference(const lts::Lts* spec, Label a, Label b) {
  if (spec == nullptr || a == b) return true;
  if (a == lts::kTau || b == lts::kTau) return false;
  for (std::size_t s = 0; s < spec->num_states(); ++s) {
    std::set<lts::State> after_a;
    std::set<lts::State> after_b;
    for (const lts::Transition t : spec->out(lts::State::at(s))) {
      if (t.label == a) after_a.insert(t.target);
      if (t.label == b) after_b.insert(t.target);
    }
    if (after_a != after_b) return false;
  }
  return true;
}

}  // namespace

/// What becomes of everything when i and j change places, if that is clear.
class Symmetry::Finder {
 public:
  Finder(const Events& events, std::uint32_t i, std::uint32_t j)
      : events_(events), i_(i), j_(j) {}

  std::optional<Swap> run(const lts::Lts* spec) {
    for (std::uint32_t e = 0; e < events_.size(); ++e) {
      const auto image = image_of(e);
      if (!image) return std::nullopt;
      swap_.events.push_back(*image);
    }
    for (std::uint32_t e = 0; e < events_.size(); ++e) {
      const std::uint32_t image = swap_.events[e];
      if (swap_.events[image] != e ||
          !note_labels(events_[e], events_[image]) ||
          !specification_sees_no_difference(spec, events_[e].visible,
                                            events_[image].visible)) {
        return std::nullopt;
      }
    }
    for (std::uint32_t e = 0; e < events_.size(); ++e) {
      if (!is_mapped(events_[e], events_[swap_.events[e]])) {
        return std::nullopt;
      }
    }
    return std::move(swap_);
  }

 private:
  bool is_swapped(std::uint32_t component) const {
    return component == i_ || component == j_;
  }

  /// The only event that looks to i as this one does to j, and the reverse.
  std::optional<std::uint32_t> image_of(std::uint32_t e) const {
    const Event& event = events_[e];
    if (participant(event, i_) == nullptr &&
        participant(event, j_) == nullptr) {
      return e;
    }
    std::optional<std::uint32_t> result;
    for (std::uint32_t k = 0; k < events_.size(); ++k) {
      if (!is_same_part(event, i_, events_[k], j_) ||
          !is_same_part(event, j_, events_[k], i_) ||
          others(event) != others(events_[k])) {
        continue;
      }
      if (result) return std::nullopt;
      result = k;
    }
    return result;
  }

  std::vector<std::uint32_t> others(const Event& event) const {
    std::vector<std::uint32_t> result;
    for (const Participant& each : event.participants) {
      if (!is_swapped(each.component)) result.push_back(each.component);
    }
    return result;
  }

  /// False if that contradicts what is known.
  bool note_labels(const Event& event, const Event& image) {
    if (&event == &image) return true;
    for (const Participant& each : event.participants) {
      if (is_swapped(each.component)) continue;
      const Participant* const other = participant(image, each.component);
      if (each.locals.size() != 1 || other->locals.size() != 1) return false;
      const auto [at, is_new] = swap_.labels[each.component].emplace(
          each.locals.front(), other->locals.front());
      if (!is_new && at->second != other->locals.front()) return false;
    }
    return true;
  }

  bool is_mapped(const Event& event, const Event& image) const {
    return std::ranges::all_of(event.participants, [&](const Participant& p) {
      if (is_swapped(p.component)) return true;
      std::set<Label> mapped;
      for (const Label local : p.locals) {
        mapped.insert(image_of(p.component, local));
      }
      const auto& locals = participant(image, p.component)->locals;
      return mapped == std::set<Label>(locals.begin(), locals.end());
    });
  }

  Label image_of(std::uint32_t component, Label local) const {
    const auto known = swap_.labels.find(component);
    if (known == swap_.labels.end()) return local;
    const auto at = known->second.find(local);
    return at == known->second.end() ? local : at->second;
  }

  const Events& events_;
  const std::uint32_t i_;
  const std::uint32_t j_;
  Swap swap_;
};

std::optional<Symmetry> Symmetry::find(const Composer& composer,
                                       const lts::Lts* spec) {
  const Composition& composition = composer.composition();
  Symmetry result(composer);
  std::vector<bool> is_grouped(composer.num_components());
  for (std::uint32_t i = 0; i < composer.num_components(); ++i) {
    if (is_grouped[i] || !composer.is_present(i)) continue;
    std::vector<std::uint32_t> group{i};
    for (std::uint32_t j = i + 1; j < composer.num_components(); ++j) {
      if (is_grouped[j] || !composer.is_present(j) ||
          composition.model_of[i] != composition.model_of[j]) {
        continue;
      }
      auto swap = Finder(composition.events, i, j).run(spec);
      if (!swap || !result.holds(*swap)) continue;
      result.swaps_.push_back(*std::move(swap));
      group.push_back(j);
      is_grouped[j] = true;
    }
    if (group.size() > 1) result.groups_.push_back(std::move(group));
  }
  if (result.groups_.empty()) return std::nullopt;
  return result;
}

void Symmetry::normalise(Place& place) const {
  std::vector<Class> classes;
  for (const std::vector<std::uint32_t>& group : groups_) {
    classes.clear();
    for (const std::uint32_t i : group) classes.push_back(place[i]);
    std::ranges::sort(classes);
    for (std::size_t k = 0; k < group.size(); ++k) place[group[k]] = classes[k];
  }
}

bool Symmetry::holds() const {
  return std::ranges::all_of(swaps_,
                             [&](const Swap& swap) { return holds(swap); });
}

/// Whether those who stay do the same under the names that events get.
bool Symmetry::holds(const Swap& swap) const {
  for (const auto& [component, labels] : swap.labels) {
    if (!composer_->is_present(component)) continue;
    Quotient& model = composer_->model(component);
    for (std::size_t i = 0; i < model.num_classes(); ++i) {
      const Class c = Class::at(i);
      for (const auto& [from, to] : labels) {
        if (model.offers(c, from) != model.offers(c, to)) return false;
        if (!model.offers(c, from)) continue;
        const std::vector<Class> targets = model.targets(c, from);
        if (targets != model.targets(c, to)) return false;
      }
    }
  }
  return true;
}

std::set<Label> Symmetry::close(std::set<Label> labels) const {
  const auto& events = composer_->composition().events;
  for (std::size_t before = 0; before != labels.size();) {
    before = labels.size();
    for (const Swap& swap : swaps_) {
      for (std::size_t e = 0; e < events.size(); ++e) {
        if (labels.contains(events[e].visible)) {
          labels.insert(events[swap.events[e]].visible);
        }
      }
    }
  }
  return labels;
}

}  // namespace agon::concurrent
