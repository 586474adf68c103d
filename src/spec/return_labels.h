// SPDX-License-Identifier: Apache-2.0
/// Returns as labels of FSP.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "fsp/label_meanings.h"
#include "spec/ast.h"
#include "spec/returns.h"

namespace agon::spec {

/// What a label that starts with `return` says about the result; nothing if it
/// is no return of a value.
std::optional<ReturnCondition> read_return(const std::string& label,
                                           const WrittenConditions& conditions);

/// Whether a label is `x.return`, with a value or without.
bool is_return_of_component(const std::string& label);

/// Which values the returns of a specification have in common, also those of
/// components and of a module, as in `g.return[0..3]`.
class ReturnMeanings : public fsp::LabelMeanings {
 public:
  explicit ReturnMeanings(WrittenConditions conditions)
      : conditions_(std::move(conditions)) {}

  bool is_several(const std::string& label) const override;
  bool overlap(const std::string& a, const std::string& b) const override;
  bool includes(const std::string& name,
                const std::string& label) const override;
  bool keeps_meaning(const std::string& label, const std::string& old_prefix,
                     const std::string& new_prefix) const override;
  std::string written(const std::string& label) const override;

 private:
  WrittenConditions conditions_;
};

}  // namespace agon::spec
