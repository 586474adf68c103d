// SPDX-License-Identifier: Apache-2.0
/// The second abstraction: states of a component that offer the same actions
/// are one, until that is found to be too coarse (TWO §7, §8).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "concurrent/behaviour.h"
#include "support/id.h"

namespace agon::concurrent {

/// A set of states of a component.
using Class = support::Id<struct ClassTag>;

enum class Merging : std::uint8_t {
  None,  ///< Each state is a class of its own.
  ByEnabledActions,
};

/// The existential quotient of a system by a partition of its states, which is
/// made on demand: a state belongs to a class only once it was reached by a
/// label that somebody asked for. So classes grow, and get more targets.
class Quotient {
 public:
  /// What states of one class have in common besides the labels they offer.
  using Kind = std::function<std::uint32_t(lts::State)>;

  /// `behaviour` has to outlive it.
  Quotient(Behaviour& behaviour, Kind kind, Merging merging);

  Class initial() { return class_of(behaviour_.initial()); }

  /// The labels that every member offers, sorted.
  std::span<const lts::Label> offers(Class c) const {
    return classes_[c.index()].offers;
  }
  bool offers(Class c, lts::Label label) const;
  std::uint32_t kind(Class c) const { return classes_[c.index()].kind; }
  std::span<const lts::State> members(Class c) const {
    return classes_[c.index()].members;
  }
  /// Whether a state is like those of a class before any was divided.
  bool is_like(lts::State state, Class c);

  /// Where a label leads from some member, sorted. Valid until the next call.
  const std::vector<Class>& targets(Class c, lts::Label label);

  /// Classes that have got members since a reader last asked, who keeps `seen`.
  /// Valid until there are more.
  std::span<const Class> grown_since(std::size_t& seen) const {
    return std::span(grown_).subspan(std::exchange(seen, grown_.size()));
  }

  /// Divides classes so that each of the sets, whose states are known, is a
  /// union of classes. Answers with those that are not what they were.
  std::vector<Class> divide(std::span<const std::vector<lts::State>> sets);

  /// Divides classes until all members of each lead to the same classes, as far
  /// as somebody has asked where they lead. Answers like `divide`.
  std::vector<Class> stabilise();

  std::size_t num_classes() const { return classes_.size(); }

  /// The class of a state, which becomes known.
  Class class_of(lts::State state);

 private:
  struct Data {
    std::vector<lts::Label> offers;
    std::uint32_t kind = 0;
    std::vector<lts::State> members;
    std::uint64_t version = 0;
  };
  struct Row {
    std::uint64_t version = ~std::uint64_t{0};
    std::vector<Class> targets;
  };
  using Key = std::pair<std::uint32_t, std::vector<lts::Label>>;

  /// Where a state leads, as far as that is known.
  using Signature = std::set<std::pair<lts::Label, Class>>;

  Key key(lts::State state);
  Signature signature(lts::State state);
  Class move_out(Class from, const std::vector<lts::State>& states);
  std::vector<Class> note_changed(const std::set<Class>& changed);
  void enter(lts::State state, Class c);

  Behaviour& behaviour_;
  Kind kind_;
  Merging merging_;
  std::vector<Data> classes_;
  std::vector<Class> class_of_;  // By state; invalid if it is not known.
  std::map<Key, Class> open_;    // Where new states go.
  std::map<std::pair<Class, lts::Label>, Row> rows_;
  std::vector<Class> grown_;
  std::uint64_t version_ = 0;
};

}  // namespace agon::concurrent
