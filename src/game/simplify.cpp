// SPDX-License-Identifier: Apache-2.0
#include "game/simplify.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace agon::game {
namespace {

/// Steps of evaluation that are worth spending on a formula that people read.
constexpr std::size_t kBudget = 20'000'000;

using Conjunction = Formula::Conjunction;

std::vector<bool> used_diamonds(const Formula& formula) {
  std::vector<bool> used(formula.diamonds.size(), false);
  const auto use = [&](const Conjunction& conjunction) {
    for (const auto& literal : conjunction) used[literal.diamond] = true;
  };
  use(formula.root);
  for (std::size_t i = formula.diamonds.size(); i-- > 0;) {
    if (!used[i]) continue;
    use(formula.diamonds[i].before);
    use(formula.diamonds[i].after);
  }
  return used;
}

// Leaves out each literal for which the formula still tells the states apart.
template <class Good>
void thin_out(Conjunction& conjunction, const Good& good) {
  for (std::size_t i = conjunction.size(); i-- > 0;) {
    const auto place = conjunction.begin() + static_cast<std::ptrdiff_t>(i);
    const Formula::Literal literal = *place;
    conjunction.erase(place);
    if (good()) continue;
    conjunction.insert(conjunction.begin() + static_cast<std::ptrdiff_t>(i),
                       literal);
  }
}

}  // namespace

Formula compact(const Formula& formula) {
  const std::vector<bool> used = used_diamonds(formula);
  std::vector<std::uint32_t> number(formula.diamonds.size());
  const auto rename = [&](Conjunction conjunction) {
    for (auto& literal : conjunction) literal.diamond = number[literal.diamond];
    std::sort(conjunction.begin(), conjunction.end());
    conjunction.erase(std::unique(conjunction.begin(), conjunction.end()),
                      conjunction.end());
    return conjunction;
  };
  Formula result;
  std::map<Formula::Diamond, std::uint32_t> known;
  for (std::size_t i = 0; i < formula.diamonds.size(); ++i) {
    if (!used[i]) continue;
    const auto& [modality, label, before, after] = formula.diamonds[i];
    Formula::Diamond diamond{modality, label, rename(before), rename(after)};
    const auto fresh = static_cast<std::uint32_t>(result.diamonds.size());
    const auto [found, added] = known.try_emplace(diamond, fresh);
    if (added) result.diamonds.push_back(std::move(diamond));
    number[i] = found->second;
  }
  result.root = rename(formula.root);
  return result;
}

Formula simplify(const Formula& formula, const lts::Lts& lts, lts::State left,
                 lts::State right) {
  Formula result = compact(formula);
  const std::size_t size = lts.num_states() + lts.num_transitions();
  if (result.size() * result.diamonds.size() > kBudget / (size + 1)) {
    return result;
  }
  const auto good = [&] {
    return satisfies(lts, left, result) && !satisfies(lts, right, result);
  };
  thin_out(result.root, good);
  for (std::size_t i = result.diamonds.size(); i-- > 0;) {
    if (!used_diamonds(result)[i]) continue;
    thin_out(result.diamonds[i].before, good);
    thin_out(result.diamonds[i].after, good);
  }
  return compact(result);
}

}  // namespace agon::game
