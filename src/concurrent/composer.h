// SPDX-License-Identifier: Apache-2.0
/// What components can do together.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "concurrent/quotient.h"

namespace agon::concurrent {

/// Who takes part in an event, and by which of its own actions.
struct Participant {
  std::uint32_t component = 0;
  std::vector<lts::Label> locals;
};

/// An action of the program. It happens when all participants perform it.
struct Event {
  std::string name;
  std::vector<Participant> participants;  ///< In order of components.
  lts::Label visible = lts::kTau;         ///< What the specification sees.
};

/// What is composed. There are at most 64 components.
struct Composition {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<std::uint32_t> model_of;  ///< By component.
  std::vector<Event> events;
  /// The event before which there are no others, if there is one.
  std::uint32_t start = kNone;
};

/// An event, or a silent step of one component.
struct Move {
  static constexpr std::uint32_t kSilent = ~std::uint32_t{0};

  std::uint32_t event = kSilent;
  std::uint32_t component = 0;  ///< Of a silent step.

  bool is_silent() const { return event == kSilent; }
};

/// Where every component is; invalid for those that are left out.
using Place = std::vector<Class>;

inline constexpr std::uint64_t kAllComponents = ~std::uint64_t{0};
inline std::uint64_t bit(std::uint32_t component) {
  return std::uint64_t{1} << component;
}

/// Components may be left out. Then the others can do what they would need them
/// for whenever they like, and so can the environment if all are left out that
/// take part.
class Composer {
 public:
  /// The composition has to outlive it, and so do the models. Those may be null
  /// of which no component takes part.
  Composer(const Composition& composition, std::vector<Quotient*> models,
           std::uint64_t present = kAllComponents);

  const Composition& composition() const { return composition_; }
  const std::vector<Quotient*>& models() const { return models_; }
  std::uint32_t num_components() const {
    return static_cast<std::uint32_t>(composition_.model_of.size());
  }
  Quotient& model(std::uint32_t component) const {
    return *models_[composition_.model_of[component]];
  }
  bool is_present(std::uint32_t component) const {
    return (present_ & bit(component)) != 0;
  }

  std::uint64_t present() const { return present_; }
  /// Whether a component of a model takes part.
  bool is_present_of(std::uint32_t model) const;

  Place initial() const;

  /// Whether all participants offer an event.
  bool is_offered(const Place& here, std::uint32_t event) const;

  /// To how many places a move leads; a move that is offered may lead nowhere.
  std::size_t num_outcomes(const Place& here, const Move& move) const;

  /// The moves in which one of the components takes part, and with all of them
  /// what those that are left out can do alone.
  std::vector<Move> moves(const Place& here, std::uint64_t components) const;

  /// Calls `reach` for each place that a move may lead to.
  void outcomes(const Place& here, const Move& move,
                const std::function<void(const Place&)>& reach) const;

  /// The components that one may have to wait for, itself included: without
  /// them the others cannot change what these can do.
  std::uint64_t closure(const Place& here, std::uint32_t component) const;

  /// The sets of components, not of all, that can only move among themselves
  /// until one of them has moved.
  std::vector<std::uint64_t> independent_groups(const Place& here) const;

  /// What the specification sees of a move.
  lts::Label visible(const Move& move) const {
    return move.is_silent() ? lts::kTau
                            : composition_.events[move.event].visible;
  }

 private:
  using Participants = std::vector<Participant>;

  /// What a component offers in a class, which stays the same.
  struct Offer {
    bool is_silent = false;
    std::uint64_t partners = 0;         ///< With itself.
    std::vector<std::uint32_t> events;  ///< Sorted.
  };
  const Offer& offer(const Place& here, std::uint32_t component) const;
  Offer find_offer(std::uint32_t component, Class c) const;

  std::set<Class> targets(const Place& here, const Participant& who) const;
  void combine(const Place& here, const Participants& who, std::size_t next,
               Place& there,
               const std::function<void(const Place&)>& reach) const;
  const Composition& composition_;
  std::vector<Quotient*> models_;
  std::uint64_t present_;
  std::vector<Participants> participants_;  // By event; those who are present.
  std::vector<std::uint32_t> free_;         // Visible events of the absent.
  std::vector<std::map<lts::Label, std::vector<std::uint32_t>>> events_of_;
  mutable std::vector<std::vector<std::optional<Offer>>> offers_;
};

}  // namespace agon::concurrent
