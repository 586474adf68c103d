// SPDX-License-Identifier: Apache-2.0
#include "refine/minimise.h"

#include <algorithm>

namespace agon::refine {
namespace {

Choice join(const Choice& a, const Choice& b) {
  Choice result;
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}

std::size_t missing(const Choice& from, const Choice& wanted) {
  return join(from, wanted).size() - from.size();
}

class BranchAndBound {
 public:
  BranchAndBound(std::span<const std::vector<Choice>> requirements,
                 std::size_t max_effort)
      : requirements_(requirements), effort_(max_effort) {
    for (const auto& sets : requirements_) {  // Some solution to begin with.
      best_ = join(best_, cheapest(sets, best_));
    }
  }

  Choice run() {
    search({});
    return best_;
  }

 private:
  static const Choice& cheapest(const std::vector<Choice>& sets,
                                const Choice& chosen) {
    return *std::ranges::min_element(
        sets, {}, [&](const Choice& set) { return missing(chosen, set); });
  }

  /// The requirement that costs most; none if all are met.
  const std::vector<Choice>* hardest(const Choice& chosen, std::size_t& cost) {
    const std::vector<Choice>* result = nullptr;
    cost = 0;
    for (const auto& sets : requirements_) {
      const std::size_t least = missing(chosen, cheapest(sets, chosen));
      const bool is_harder = least > cost || (least > 0 && least == cost &&
                                              sets.size() < result->size());
      if (!is_harder) continue;
      cost = least;
      result = &sets;
    }
    return result;
  }

  void search(const Choice& chosen) {
    if (effort_ == 0) return;
    --effort_;
    std::size_t cost = 0;
    const std::vector<Choice>* const sets = hardest(chosen, cost);
    if (sets == nullptr) {
      if (chosen.size() < best_.size()) best_ = chosen;
      return;
    }
    if (chosen.size() + cost >= best_.size()) return;
    std::vector<Choice> next;
    for (const Choice& set : *sets) next.push_back(join(chosen, set));
    std::ranges::stable_sort(next, {}, &Choice::size);
    for (const Choice& choice : next) search(choice);
  }

  const std::span<const std::vector<Choice>> requirements_;
  std::size_t effort_;
  Choice best_;
};

/// The next set of the same size out of `size` numbers, in the order of their
/// last elements: those that come first among the candidates stay together.
bool advance(std::vector<std::size_t>& positions, std::size_t size) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t limit =
        i + 1 < positions.size() ? positions[i + 1] : size;
    if (positions[i] + 1 >= limit) continue;
    ++positions[i];
    for (std::size_t k = 0; k < i; ++k) positions[k] = k;
    return true;
  }
  return false;
}

}  // namespace

std::vector<Choice> eliminating_sets(const Choice& candidates,
                                     const MinimiseBounds& bounds,
                                     const Test& passes) {
  std::vector<Choice> result;
  const auto is_known = [&](const Choice& choice) {
    return std::ranges::any_of(result, [&](const Choice& smaller) {
      return std::ranges::includes(choice, smaller);
    });
  };
  std::size_t tried = 0;
  for (std::size_t size = 1; size <= candidates.size(); ++size) {
    std::vector<std::size_t> positions(size);
    for (std::size_t i = 0; i < size; ++i) positions[i] = i;
    do {
      Choice choice;
      for (const std::size_t p : positions) choice.push_back(candidates[p]);
      std::ranges::sort(choice);
      if (is_known(choice)) continue;
      if (tried++ == bounds.max_subsets) return result;
      if (passes(choice)) result.push_back(std::move(choice));
      if (result.size() == bounds.max_eliminating) return result;
    } while (advance(positions, candidates.size()));
  }
  return result;
}

Choice minimum(std::span<const std::vector<Choice>> requirements,
               std::size_t max_effort) {
  return BranchAndBound(requirements, max_effort).run();
}

Choice greedy(const Choice& order, const Test& passes) {
  Choice kept = order;
  for (const std::uint32_t candidate : order) {
    Choice without = kept;
    std::erase(without, candidate);
    Choice sorted = without;
    std::ranges::sort(sorted);
    if (passes(sorted)) kept = std::move(without);
  }
  std::ranges::sort(kept);
  return kept;
}

}  // namespace agon::refine
