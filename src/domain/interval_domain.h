// SPDX-License-Identifier: Apache-2.0
/// An interval for each variable.
#pragma once

#include "domain/domain.h"

namespace agon::domain {

std::unique_ptr<Domain> make_interval_domain(const Setting& setting);

}  // namespace agon::domain
