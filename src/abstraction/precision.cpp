// SPDX-License-Identifier: Apache-2.0
#include "abstraction/precision.h"

#include <algorithm>

#include "support/sort_unique.h"

namespace agon::abstraction {

bool Precision::add(ir::LocationId location, term::Term predicate) {
  auto& known = at_[location.index()];
  if (std::ranges::find(known, predicate) != known.end()) return false;
  known.push_back(predicate);
  return true;
}

void Precision::add(const Precision& other) {
  for (std::size_t i = 0; i < other.at_.size(); ++i) {
    for (const term::Term p : other.at_[i]) add(ir::LocationId::at(i), p);
  }
}

std::vector<term::Term> Precision::distinct() const {
  std::vector<term::Term> all;
  for (const auto& here : at_) all.insert(all.end(), here.begin(), here.end());
  support::sort_unique(all);
  return all;
}

}  // namespace agon::abstraction
