// SPDX-License-Identifier: Apache-2.0
/// Operators on systems that change labels or remove moves, expanded on demand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "lts/successors.h"

namespace agon::lts {

/// What becomes of each label that is mentioned; the others stay. Several
/// images duplicate a transition, and kTau hides it.
using Relabelling = std::unordered_map<Label, std::vector<Label>>;

/// A system whose labels are renamed, duplicated or hidden.
std::unique_ptr<Successors> relabel(std::unique_ptr<Successors> system,
                                    Relabelling relabelling);

/// Hides the labels of the alphabet for which `hidden` says so, given the name.
std::unique_ptr<Successors> hide(
    std::unique_ptr<Successors> system,
    const std::function<bool(const std::string&)>& hidden);

/// FSP's priorities. High: where a listed label is enabled, only listed ones
/// remain. Low: a listed label remains only where nothing else, kTau included,
/// is enabled.
enum class Priority { High, Low };
std::unique_ptr<Successors> prioritise(std::unique_ptr<Successors> system,
                                       Priority priority,
                                       std::vector<Label> listed);

}  // namespace agon::lts
