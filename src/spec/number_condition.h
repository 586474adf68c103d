// SPDX-License-Identifier: Apache-2.0
/// The numbers that satisfy a simple condition such as `result < 0`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace agon::spec {

/// Ranges, ordered and apart from each other.
using NumberSet = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The numbers for which a condition holds that compares `result` with decimal
/// numbers, also with `&&`, `||`, `!` and parentheses; nothing for others. In C
/// it may mean something else if `result` is not a signed integer.
std::optional<NumberSet> numbers_with(std::string_view condition);

NumberSet complement(const NumberSet& set);
NumberSet intersection(const NumberSet& a, const NumberSet& b);

}  // namespace agon::spec
