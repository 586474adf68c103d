// SPDX-License-Identifier: Apache-2.0
/// Labels that stand for several actions at once.
#pragma once

#include <string>

#include "support/error.h"

namespace agon::fsp {

/// What a caller means by its labels, where one of them stands for several
/// actions. Operators go by names, and so must not be asked to tell two labels
/// apart that have an action in common.
class LabelMeanings {
 public:
  virtual ~LabelMeanings() = default;
  /// Whether a label stands for more than one action.
  virtual bool is_several(const std::string& label) const = 0;
  /// Whether two different labels may have an action in common.
  virtual bool overlap(const std::string& a, const std::string& b) const = 0;
  /// Whether a name in a set means all actions of a label: as that label, or as
  /// a prefix of it.
  virtual bool includes(const std::string& name,
                        const std::string& label) const = 0;
  /// Whether a label that starts with `old_prefix` keeps its meaning if
  /// `new_prefix` takes its place.
  virtual bool keeps_meaning(const std::string& label,
                             const std::string& old_prefix,
                             const std::string& new_prefix) const = 0;
  virtual std::string written(const std::string& label) const = 0;
};

/// An operator was asked to tell such labels apart.
class OverlapError : public support::InputError {
 public:
  using InputError::InputError;
};

}  // namespace agon::fsp
