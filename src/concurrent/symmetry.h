// SPDX-License-Identifier: Apache-2.0
/// Components that can change places without anybody noticing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "concurrent/composer.h"
#include "lts/lts.h"

namespace agon::concurrent {

/// Groups of components with the same model such that the whole system is the
/// same when two of a group change places: each event becomes another one, the
/// other components do not tell the two apart, and neither does the
/// specification. So of all places that differ by who is where in a group, one
/// is enough.
class Symmetry {
 public:
  /// None if there are no such groups, as far as quotients are known. `spec` is
  /// null where deadlocks are looked for. The composer has to outlive it.
  static std::optional<Symmetry> find(const Composer& composer,
                                      const lts::Lts* spec);

  /// Makes places alike that differ by a permutation in groups.
  void normalise(Place& place) const;

  /// Whether the quotients are still symmetric in all that they do. They may
  /// grow meanwhile, since all their moves are asked for.
  bool holds() const;

  /// With all labels that may come in the place of one of them.
  std::set<lts::Label> close(std::set<lts::Label> labels) const;

 private:
  using Groups = std::vector<std::vector<std::uint32_t>>;

  /// Two components change places.
  struct Swap {
    std::vector<std::uint32_t> events;  ///< By event, what it becomes.
    /// By component, what becomes of its own labels; others stay.
    std::map<std::uint32_t, std::map<lts::Label, lts::Label>> labels;
  };
  class Finder;

  explicit Symmetry(const Composer& composer) : composer_(&composer) {}
  bool holds(const Swap& swap) const;

  const Composer* composer_;
  Groups groups_;
  std::vector<Swap> swaps_;  // The first of a group with each other member.
};

}  // namespace agon::concurrent
