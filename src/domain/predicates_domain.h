// SPDX-License-Identifier: Apache-2.0
/// The truth of some predicates.
#pragma once

#include "domain/domain.h"

namespace agon::domain {

std::unique_ptr<Domain> make_predicates_domain(const Setting& setting);

}  // namespace agon::domain
