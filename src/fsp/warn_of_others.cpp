// SPDX-License-Identifier: Apache-2.0
// Names that operators are given and that no action has. FSP allows them, and
// models have reasons for them; in a specification they are mistakes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "fsp/compile.h"
#include "lts/label.h"
#include "support/suggest.h"

namespace agon::fsp {

using lts::Label;

namespace {

/// `a.b` of `a.b.3.c`: a range may be meant for several processes.
std::string before_index(const std::string& name) {
  for (std::size_t dot = name.find('.'); dot != std::string::npos;
       dot = name.find('.', dot + 1)) {
    const char next = dot + 1 < name.size() ? name[dot + 1] : '\0';
    const bool is_number =
        next == '-' || std::isdigit(static_cast<unsigned char>(next)) != 0;
    if (is_number) return name.substr(0, dot);
  }
  return name;
}

}  // namespace

void Compiler::warn_of_others(const std::vector<Component>& components,
                              const std::vector<RelabelDef>& relabels,
                              const Scope& scope) {
  if (meanings_ == nullptr) return;
  std::vector<Label> alphabet;
  for (const Component& component : components) {
    for (const System& part : component) {
      const auto own = part->alphabet();
      alphabet.insert(alphabet.end(), own.begin(), own.end());
    }
  }
  for (const RelabelDef& def : relabels) {
    Renaming renaming;
    add_renaming(def, scope, renaming);
    std::vector<std::string> names;
    for (const auto& [old_name, fresh] : renaming) names.push_back(old_name);
    std::ranges::sort(names);
    warn_of_others(alphabet, names,
                   def.pair.empty() ? def.offset : def.pair[1].offset);
  }
}

void Compiler::warn_of_others(std::span<const Label> alphabet,
                              const std::vector<std::string>& names,
                              Offset offset) {
  if (meanings_ == nullptr) return;
  for (const std::string& name : names) {
    const std::string start = before_index(name);
    const bool is_known = std::ranges::any_of(alphabet, [&](Label label) {
      return lts::matches_prefix(labels_->name(label), start);
    });
    if (is_known) continue;
    if (!may_warn(offset)) return;
    std::vector<std::string> known;
    for (const Label label : alphabet) known.push_back(labels_->name(label));
    const support::Source& source = evaluator_.source();
    context_.warn(support::render_diagnostic(
        "warning",
        fmt::format("no action here is called '{}'{}", meanings_->written(name),
                    support::did_you_mean(name, known)),
        source.locate(offset), source.line_at(offset)));
  }
}

}  // namespace agon::fsp
