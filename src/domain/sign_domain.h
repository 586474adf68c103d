// SPDX-License-Identifier: Apache-2.0
/// Whether each variable is negative, zero or positive.
#pragma once

#include "domain/domain.h"

namespace agon::domain {

std::unique_ptr<Domain> make_sign_domain(const Setting& setting);

}  // namespace agon::domain
