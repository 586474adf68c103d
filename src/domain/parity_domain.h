// SPDX-License-Identifier: Apache-2.0
/// The lowest bits of each variable: whether it is even or odd, and a few more.
#pragma once

#include "domain/domain.h"

namespace agon::domain {

std::unique_ptr<Domain> make_parity_domain(const Setting& setting);

}  // namespace agon::domain
