// SPDX-License-Identifier: Apache-2.0
/// The reduced product of domains.
#pragma once

#include <memory>
#include <vector>

#include "domain/domain.h"

namespace agon::domain {

/// Values are those of the parts side by side. After each operation every part
/// is told what the others know, by their formulas.
std::unique_ptr<Domain> make_product(std::vector<std::unique_ptr<Domain>> parts,
                                     term::Pool& pool);

}  // namespace agon::domain
