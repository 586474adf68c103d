// SPDX-License-Identifier: Apache-2.0
/// Do the arrays of a flat program lie apart?
#pragma once

#include <optional>
#include <string>

#include "ir/flatten.h"

namespace agon::ir {

/// A flat program has arrays for objects to which nothing else points, as
/// whoever made it has decided. This is for those who do not believe that: it
/// shares nothing with it, and has a rule for each operator instead. Addresses
/// of such objects are places in their arrays, are compared, and are assigned
/// to variables that hold nothing else. The same goes for objects that a flag
/// keeps from being changed, except in statements before which it is set.
/// `original` is what the program was made from; with `any_state` all its
/// functions may have run before.
///
/// What is wrong, for people; nothing if they do, or if there is no program.
std::optional<std::string> find_overlap(const Flat& flat,
                                        const Program& original,
                                        bool any_state);

}  // namespace agon::ir
