// SPDX-License-Identifier: Apache-2.0
/// From a process to the system that a routine has to conform to.
#pragma once

#include <set>
#include <string>

#include "lts/lts.h"
#include "spec/processes.h"
#include "spec/returns.h"
#include "spec/specification.h"

namespace agon::spec {

/// Replaces each return by returns of the classes that it covers, leaves out
/// what leads to ERROR, and extends the alphabet by all classes, by `outside`,
/// and by what stays of it.
lts::Lts split_returns(const Process& process, const ReturnClasses& classes,
                       const std::set<std::string>& outside);

/// A guard without the space around it.
std::string trimmed_text(const CText& text);

/// The labels of an alphabet that nothing performs, and those that come near.
std::vector<Unperformed> find_unperformed(
    const std::set<std::string>& alphabet,
    const std::set<std::string>& performed);

}  // namespace agon::spec
