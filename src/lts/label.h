// SPDX-License-Identifier: Apache-2.0
/// Action labels, interned so that systems that share a table compare labels
/// by number.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "support/id.h"

namespace agon::lts {

using Label = support::Id<struct LabelTag>;

/// The silent label; it is label 0 of every table.
inline constexpr Label kTau{0};

/// The names of labels. Systems that are composed or compared share one table.
class LabelTable {
 public:
  LabelTable();

  /// The label with that name; new if need be. "tau" is kTau.
  Label intern(std::string_view name);

  /// The label with that name, if there is one.
  std::optional<Label> find(std::string_view name) const;

  const std::string& name(Label label) const { return names_[label.index()]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // Stable, since the index points into it.
  std::unordered_map<std::string_view, Label> index_;
};

using SharedLabels = std::shared_ptr<LabelTable>;

/// Whether `name` is `entry` or starts with it as whole dotted parts: `a`
/// matches `a` and `a.x` but not `ab`. Sets of labels in FSP and on the command
/// line are matched like this.
bool matches_prefix(std::string_view name, std::string_view entry);

}  // namespace agon::lts
