// SPDX-License-Identifier: Apache-2.0
#include "domain/interval_domain.h"

#include <algorithm>
#include <set>

#include "domain/boxes.h"
#include "term/substitute.h"

namespace agon::domain {
namespace {

using term::SignedBits;

/// Values are cut at the numbers that the program compares with. There, next to
/// them, and at numbers that it assigns, growing intervals stop.
class IntervalDomain final : public BoxDomain {
 public:
  explicit IntervalDomain(const Setting& setting) : BoxDomain(setting) {
    std::set<SignedBits> found{0};
    for (const ir::Edge& edge : body().edges()) {
      const auto* const test = std::get_if<ir::Assume>(&edge.statement);
      if (test != nullptr) add_constants(test->condition, found);
    }
    for (const term::Term condition : setting.conditions) {
      std::set<SignedBits> more = found;
      add_constants(condition, more);
      if (more.size() <= kMostCuts) found = std::move(more);
    }
    cuts_.assign(found.begin(), found.end());
    for (const ir::Edge& edge : body().edges()) {
      const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
      if (assign != nullptr && assign->value.is_constant()) {
        add_constants(assign->value, found);
      }
    }
    if (cuts_.size() <= kMostCuts) {
      for (const SignedBits cut : cuts_) found.insert({cut - 1, cut + 1});
    }
    stops_.assign(found.begin(), found.end());
  }

 private:
  static void add_constants(term::Term condition, std::set<SignedBits>& to) {
    term::visit_subterms(condition, [&](term::Term t) {
      if (t.is_constant() && t.sort().is_bits() && t.width() <= 64) {
        to.insert(term::as_signed(t.value(), t.width()));
      }
    });
  }

  std::vector<Range> pieces(std::size_t, const Range& range) const override {
    return {range};
  }

  std::vector<Range> choices(std::size_t i) const override {
    const Range all = all_of(variable(i).sort());
    static const std::vector<SignedBits> kZero{0};
    std::vector<Range> result;
    SignedBits next = all.low;
    for (const SignedBits cut : cuts_.size() > kMostCuts ? kZero : cuts_) {
      if (!all.contains(cut)) continue;
      if (next < cut) result.push_back({next, cut - 1});
      result.push_back({cut, cut});
      next = cut + 1;
    }
    if (next <= all.high) result.push_back({next, all.high});
    return result;
  }

  Range widen_range(std::size_t i, const Range& a,
                    const Range& b) const override {
    const Range all = all_of(variable(i).sort());
    Range result = a;
    if (b.low < a.low) {
      const auto above = std::ranges::upper_bound(stops_, b.low);
      result.low =
          above == stops_.begin() ? all.low : std::max(all.low, *(above - 1));
    }
    if (b.high > a.high) {
      const auto cut = std::ranges::lower_bound(stops_, b.high);
      result.high = cut == stops_.end() ? all.high : std::min(all.high, *cut);
    }
    return result;
  }

  static constexpr std::size_t kMostCuts = 12;

  std::vector<SignedBits> cuts_;   // In order.
  std::vector<SignedBits> stops_;  // In order.
};

}  // namespace

std::unique_ptr<Domain> make_interval_domain(const Setting& setting) {
  return std::make_unique<IntervalDomain>(setting);
}

}  // namespace agon::domain
