// SPDX-License-Identifier: Apache-2.0
#include "lts/label.h"

namespace agon::lts {

LabelTable::LabelTable() { intern("tau"); }

Label LabelTable::intern(std::string_view name) {
  if (const auto known = index_.find(name); known != index_.end()) {
    return known->second;
  }
  const Label label = Label::at(names_.size());
  names_.emplace_back(name);
  index_.emplace(names_.back(), label);
  return label;
}

std::optional<Label> LabelTable::find(std::string_view name) const {
  const auto known = index_.find(name);
  if (known == index_.end()) return std::nullopt;
  return known->second;
}

bool matches_prefix(std::string_view name, std::string_view entry) {
  return name.starts_with(entry) &&
         (name.size() == entry.size() || name[entry.size()] == '.');
}

}  // namespace agon::lts
