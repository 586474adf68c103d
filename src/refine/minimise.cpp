// SPDX-License-Identifier: Apache-2.0
#include "refine/minimise.h"

#include <algorithm>
#include <numeric>

namespace agon::refine {
namespace {

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

/// Looks for the smallest sets that pass, within bounds.
class SetSearch {
 public:
  SetSearch(const MinimiseBounds& bounds, const Test& passes)
      : bounds_(bounds), passes_(passes) {}

  std::vector<Choice> run(std::span<const Choice> parts) {
    std::vector<Part> divided;
    std::size_t largest = 0;
    for (const Choice& part : parts) {
      divided.push_back(divide(part));
      largest = std::max(largest, part.size());
    }
    for (std::size_t size = 1; size <= largest; ++size) {
      const bool has_smaller = !found_.empty();
      for (const Part& part : divided) {
        const bool is_tried =
            part.is_divided || (!has_smaller && size <= best_);
        if (is_tried) try_all(part, size);
      }
    }
    if (!spare_.empty() && !is_known(spare_) &&
        (found_.empty() || spare_.size() <= found_.front().size())) {
      found_.push_back(std::move(spare_));
    }
    return std::move(found_);
  }

 private:
  /// What every set that passes contains, and what else it may.
  struct Part {
    Choice needed;
    Choice others;
    bool is_divided = false;
  };

  /// Where few sets remain to be tried, those that lack one candidate say most
  /// and cost least.
  Part divide(const Choice& part) {
    if (part.size() == 1) return {{}, part};
    if (part.size() > kFewCandidates) {
      find_spare(part);
      return {{}, part};
    }
    Part result{{}, {}, true};
    if (!passes(part)) return result;
    for (const std::uint32_t candidate : part) {
      Choice without = part;
      std::erase(without, candidate);
      (passes(without) ? result.others : result.needed).push_back(candidate);
    }
    return result;
  }

  /// One set that passes, of which nothing can be left out. Nothing larger has
  /// to be tried, and it is there if the bounds come first.
  void find_spare(const Choice& part) {
    if (!passes(part)) return;
    Choice set;
    reduce(set, part);
    if (set.empty()) return;
    std::ranges::sort(set);
    best_ = std::min(best_, set.size());
    if (spare_.empty() || set.size() < spare_.size()) spare_ = std::move(set);
  }

  /// Adds to `kept` what it lacks to pass, out of candidates with which it does
  /// (Junker's QuickXplain, AAAI 2004). Early ones are preferred.
  void reduce(Choice& kept, std::span<const std::uint32_t> from) {
    if (passes(kept)) return;
    if (from.size() == 1) {
      kept.push_back(from.front());
      return;
    }
    const auto first = from.first(from.size() / 2);
    Choice with_first = kept;
    with_first.insert(with_first.end(), first.begin(), first.end());
    const std::size_t before = with_first.size();
    reduce(with_first, from.subspan(from.size() / 2));
    kept.insert(kept.end(), with_first.begin() + static_cast<long>(before),
                with_first.end());
    reduce(kept, first);
  }

  void try_all(const Part& part, std::size_t size) {
    if (size < part.needed.size()) return;
    std::vector<std::size_t> positions(size - part.needed.size());
    if (positions.size() > part.others.size()) return;
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    do {
      Choice choice = part.needed;
      for (const std::size_t p : positions) choice.push_back(part.others[p]);
      std::ranges::sort(choice);
      if (is_done()) return;
      if (!choice.empty() && !is_known(choice) && passes(choice)) {
        found_.push_back(std::move(choice));
      }
    } while (advance(positions, part.others.size()));
  }

  bool is_done() const {
    return tried_ >= bounds_.max_subsets ||
           found_.size() >= bounds_.max_eliminating;
  }

  bool is_known(const Choice& choice) const {
    return std::ranges::any_of(found_, [&](const Choice& set) {
      return std::ranges::includes(choice, set);
    });
  }

  bool passes(Choice choice) {
    ++tried_;
    std::ranges::sort(choice);
    return passes_(choice);
  }

  const MinimiseBounds& bounds_;
  const Test& passes_;
  std::size_t tried_ = 0;
  std::vector<Choice> found_;
  Choice spare_;
  std::size_t best_ = ~std::size_t{0};  // The size of a set that passes.
};

}  // namespace

std::vector<Choice> eliminating_sets(std::span<const Choice> parts,
                                     const MinimiseBounds& bounds,
                                     const Test& passes) {
  return SetSearch(bounds, passes).run(parts);
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
