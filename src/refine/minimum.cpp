// SPDX-License-Identifier: Apache-2.0
#include "refine/minimum.h"

#include <algorithm>
#include <bit>

#include "support/sort_unique.h"

// A choice is extended by the sets of one requirement, one after the other,
// until all requirements are met. Those that have no candidate in common cost
// the sum of what each costs, so choices that this makes too large are left
// alone. A candidate that was tried is not needed by what is tried after it.

namespace agon::refine {
namespace {

/// A set of candidates, which are numbered densely here.
class Bits {
 public:
  explicit Bits(std::size_t size) : words_((size + kWord - 1) / kWord) {}

  void insert(std::size_t i) { words_[i / kWord] |= bit(i); }
  void erase(std::size_t i) { words_[i / kWord] &= ~bit(i); }
  bool contains(std::size_t i) const {
    return (words_[i / kWord] & bit(i)) != 0;
  }
  void insert(const Bits& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] |= other.words_[w];
    }
  }
  bool meets(const Bits& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if ((words_[w] & other.words_[w]) != 0) return true;
    }
    return false;
  }
  /// How many of another set are missing here.
  std::size_t missing(const Bits& other) const {
    std::size_t result = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      result +=
          static_cast<std::size_t>(std::popcount(other.words_[w] & ~words_[w]));
    }
    return result;
  }
  void insert_missing(const Bits& from, const Bits& present) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      words_[w] |= from.words_[w] & ~present.words_[w];
    }
  }

 private:
  static constexpr std::size_t kWord = 64;
  static std::uint64_t bit(std::size_t i) {
    return std::uint64_t{1} << (i % kWord);
  }

  std::vector<std::uint64_t> words_;
};

class BranchAndBound {
 public:
  BranchAndBound(std::span<const std::vector<Choice>> requirements,
                 const Choice& preferred, std::uint64_t max_effort)
      : max_effort_(max_effort), best_(0) {
    for (const auto& sets : requirements) {
      for (const Choice& set : sets) {
        names_.insert(names_.end(), set.begin(), set.end());
      }
    }
    support::sort_unique(names_);
    std::vector<std::vector<Choice>> distinct(requirements.begin(),
                                              requirements.end());
    support::sort_unique(distinct);
    for (const auto& sets : distinct) {
      requirements_.emplace_back();
      for (const Choice& set : sets) requirements_.back().push_back(bits(set));
    }
    begin_with(preferred);
  }

  Minimum run() {
    const Bits nothing(names_.size());
    search(nothing, 0, nothing);
    return {names_of(best_), effort_ < max_effort_, effort_};
  }

 private:
  /// A requirement that is not met, and what it takes at least.
  struct Open {
    const std::vector<Bits>* sets;
    std::size_t cost;
    std::size_t ways;  ///< How many sets can still be taken.
    Bits any;          ///< What these lack.
  };

  Bits bits(const Choice& choice) const {
    Bits result(names_.size());
    for (const std::uint32_t name : choice) {
      const auto at = std::ranges::lower_bound(names_, name);
      if (at == names_.end() || *at != name) continue;
      result.insert(static_cast<std::size_t>(at - names_.begin()));
    }
    return result;
  }

  Choice names_of(const Bits& chosen) const {
    Choice result;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (chosen.contains(i)) result.push_back(names_[i]);
    }
    return result;
  }

  /// Some solution.
  void begin_with(const Choice& preferred) {
    best_ = bits(preferred);
    for (const auto& sets : requirements_) {
      best_.insert(*std::ranges::min_element(
          sets, {}, [&](const Bits& set) { return best_.missing(set); }));
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!best_.contains(i)) continue;
      best_.erase(i);
      if (!meets_all(best_)) best_.insert(i);
    }
    best_size_ = Bits(names_.size()).missing(best_);
  }

  bool meets_all(const Bits& chosen) {
    return std::ranges::all_of(requirements_, [&](const auto& sets) {
      effort_ += sets.size();
      return std::ranges::any_of(
          sets, [&](const Bits& set) { return chosen.missing(set) == 0; });
    });
  }

  /// What is not met yet, the hardest first.
  std::vector<Open> open(const Bits& chosen, const Bits& excluded) {
    std::vector<Open> result;
    for (const auto& sets : requirements_) {
      effort_ += sets.size();
      Open now{&sets, ~std::size_t{0}, 0, Bits(names_.size())};
      for (const Bits& set : sets) {
        if (set.meets(excluded)) continue;
        now.cost = std::min(now.cost, chosen.missing(set));
        if (now.cost == 0) break;
        ++now.ways;
        now.any.insert_missing(set, chosen);
      }
      if (now.cost > 0) result.push_back(std::move(now));
    }
    std::ranges::stable_sort(result, {}, [](const Open& requirement) {
      return std::pair(requirement.ways, ~requirement.cost);
    });
    return result;
  }

  /// What requirements take at least that have nothing in common.
  std::size_t least_cost(const std::vector<Open>& requirements) const {
    std::size_t result = 0;
    Bits used(names_.size());
    for (const Open& requirement : requirements) {
      if (used.meets(requirement.any)) continue;
      used.insert(requirement.any);
      result += requirement.cost;
    }
    return result;
  }

  void search(const Bits& chosen, std::size_t size, Bits excluded) {
    if (effort_ >= max_effort_) return;
    const std::vector<Open> left = open(chosen, excluded);
    if (left.empty()) {
      if (size < best_size_) {
        best_ = chosen;
        best_size_ = size;
      }
      return;
    }
    if (left.front().ways == 0) return;
    if (size + least_cost(left) >= best_size_) return;
    std::vector<const Bits*> next;
    for (const Bits& set : *left.front().sets) next.push_back(&set);
    std::ranges::stable_sort(
        next, {}, [&](const Bits* set) { return chosen.missing(*set); });
    for (const Bits* const set : next) {
      if (set->meets(excluded)) continue;
      Bits more = chosen;
      more.insert(*set);
      const std::size_t added = chosen.missing(*set);
      search(more, size + added, excluded);
      if (added == 1) excluded.insert_missing(*set, chosen);
    }
  }

  Choice names_;  // Of the candidates, by number.
  std::vector<std::vector<Bits>> requirements_;
  const std::uint64_t max_effort_;
  std::uint64_t effort_ = 0;
  Bits best_;
  std::size_t best_size_ = 0;
};

}  // namespace

Minimum minimum(std::span<const std::vector<Choice>> requirements,
                const Choice& preferred, std::uint64_t max_effort) {
  return BranchAndBound(requirements, preferred, max_effort).run();
}

}  // namespace agon::refine
