// SPDX-License-Identifier: Apache-2.0
/// Linear equations between variables, such as s == 2 * i + 1.
#pragma once

#include "domain/domain.h"

namespace agon::domain {

std::unique_ptr<Domain> make_affine_domain(const Setting& setting);

}  // namespace agon::domain
