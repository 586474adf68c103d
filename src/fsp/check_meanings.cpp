// SPDX-License-Identifier: Apache-2.0
// Operators go by names of labels. Where these stand for several actions, this
// refuses what names cannot decide.
#include <fmt/format.h>

#include "fsp/compile.h"

namespace agon::fsp {

using lts::Label;

void Compiler::check_apart(const std::string& a, const std::string& b,
                           Offset offset) {
  if (a == b || (!meanings_->is_several(a) && !meanings_->is_several(b)) ||
      !meanings_->overlap(a, b)) {
    return;
  }
  const support::Source& source = evaluator_.source();
  throw OverlapError(
      fmt::format("'{}' and '{}' have values in common, but operators go by "
                  "labels and take them for different actions; write the same "
                  "label in both places, or each value, as return[i:0..3] does",
                  meanings_->written(a), meanings_->written(b)),
      source.locate(offset), source.line_at(offset));
}

/// Parts synchronise on equal labels only.
void Compiler::check_shared(const std::vector<System>& parts, Offset offset) {
  if (meanings_ == nullptr) return;
  for (const System& part : parts) {
    for (const Label label : part->alphabet()) {
      const std::string name = labels_->name(label);
      if (!meanings_->is_several(name)) continue;
      for (const System& other : parts) {
        if (other == part) continue;
        for (const Label shared : other->alphabet()) {
          check_apart(name, labels_->name(shared), offset);
        }
      }
    }
  }
}

/// For hiding and priority, where a prefix stands for all that starts with it.
void Compiler::check_listed(std::span<const Label> alphabet,
                            const std::vector<std::string>& names,
                            Offset offset) {
  if (meanings_ == nullptr) return;
  std::vector<std::string> several;
  for (const std::string& listed : names) {
    if (meanings_->is_several(listed)) several.push_back(listed);
  }
  for (const Label label : alphabet) {
    const std::string name = labels_->name(label);
    for (const auto& listed : meanings_->is_several(name) ? names : several) {
      if (meanings_->includes(listed, name)) continue;
      check_apart(name, listed, offset);
    }
  }
}

/// What a prefix replaces keeps the rest of its name, but not its meaning
/// unless it still is what it was.
void Compiler::check_renaming(std::span<const Label> alphabet,
                              const Renaming& renaming, Offset offset) {
  if (meanings_ == nullptr) return;
  for (const Label label : alphabet) {
    const std::string name = labels_->name(label);
    for (const auto& [old_name, new_names] : renaming) {
      if (!meanings_->includes(old_name, name)) {
        check_apart(name, old_name, offset);
        continue;
      }
      if (renaming.contains(name)) continue;
      for (const std::string& fresh : new_names) {
        if (meanings_->keeps_meaning(name, old_name, fresh)) continue;
        check_apart(name, old_name, offset);
      }
    }
  }
}

}  // namespace agon::fsp
