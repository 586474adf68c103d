// SPDX-License-Identifier: Apache-2.0
/// The table of domains, which the build makes from the files that there are.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "domain/domain.h"

namespace agon::domain {

struct Registered {
  std::string_view name;
  std::unique_ptr<Domain> (*make)(const Setting&);
};

std::span<const Registered> registry();

}  // namespace agon::domain
