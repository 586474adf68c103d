// SPDX-License-Identifier: Apache-2.0
/// A check of types that were read from text. Internal to the folder.
#pragma once

#include "ir/type.h"

namespace agon::ir {

/// A type whose layout or declaration is made of itself, so that it has none;
/// invalid if there is none. A pointer to a struct is not made of the struct.
TypeId find_self_containing(const TypeTable& types);

}  // namespace agon::ir
