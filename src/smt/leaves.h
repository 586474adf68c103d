// SPDX-License-Identifier: Apache-2.0
/// What a model has to give values to. Internal to the folder.
#pragma once

#include <span>
#include <vector>

#include "term/term.h"

namespace agon::smt {

/// The variables and addresses that occur in any of the terms, in order of id.
std::vector<term::Term> leaves_of(std::span<const term::Term> terms);

}  // namespace agon::smt
