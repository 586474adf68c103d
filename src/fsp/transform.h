// SPDX-License-Identifier: Apache-2.0
/// Operators on systems that FSP defines by names of labels.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lts/lts.h"
#include "lts/operators.h"
#include "lts/successors.h"
#include "support/context.h"

namespace agon::fsp {

/// Sets and relations match the longest entry that is the whole name or a
/// prefix of whole parts: `a` matches `a.x` but not `ab`.
using NameSet = std::unordered_set<std::string>;
bool matches(const NameSet& set, const std::string& name);

/// New names by old name.
using Renaming = std::unordered_map<std::string, std::vector<std::string>>;

/// What the renaming does to the labels of an alphabet.
lts::Relabelling relabelling(const Renaming& renaming,
                             std::span<const lts::Label> alphabet,
                             lts::LabelTable& labels);

/// Whether two labels of the alphabet would have an image in common.
bool merges(const lts::Relabelling& relabelling,
            std::span<const lts::Label> alphabet);

/// Renames an explicit system at once and any other one lazily.
std::unique_ptr<lts::Successors> rename(std::unique_ptr<lts::Successors> system,
                                        lts::Relabelling relabelling);

/// The least system that is observationally equivalent.
lts::Lts minimise(const lts::Lts& lts, support::Context& context);

/// The least deterministic system with the same traces.
lts::Lts make_deterministic(const lts::Lts& lts, support::Context& context);

/// Whether no state has a silent transition or two targets for one label.
bool is_deterministic(const lts::Lts& lts);

/// The system that observes and never constrains: labels of the alphabet that a
/// state does not offer lead to ERROR. END is a state like any other.
lts::Lts complete_property(const lts::Lts& lts);

}  // namespace agon::fsp
