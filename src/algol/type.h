// SPDX-License-Identifier: Apache-2.0
/// Types of open terms: data, base types, first-order functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algol/interval.h"

namespace agon::algol {

/// Sizes, of `nat%N` and of arrays, go up to here.
inline constexpr std::int64_t kLargestSize = std::int64_t{1} << 32;

/// Truth values, or numbers of a range. For a variable the range is what it can
/// hold; for an expression it is where its values lie at most.
struct Data {
  bool is_bool = false;
  Interval range;

  friend bool operator==(const Data&, const Data&) = default;
};

inline constexpr Data kBool{true, {0, 1}};
inline constexpr Data kInt{
    false, {-(std::int64_t{1} << 31), (std::int64_t{1} << 31) - 1}};

enum class Sort : std::uint8_t { Command, Expression, Variable, Array };

struct BaseType {
  Sort sort = Sort::Command;
  Data data;                // Unless a command.
  std::int64_t length = 0;  // Of an array.

  bool has_data() const { return sort != Sort::Command; }
  friend bool operator==(const BaseType&, const BaseType&) = default;
};

/// A base type, or a function from base types to one.
struct Type {
  std::vector<BaseType> parameters;
  BaseType result;

  bool is_base() const { return parameters.empty(); }
  friend bool operator==(const Type&, const Type&) = default;
};

std::string to_string(const Data& data);
std::string to_string(const BaseType& type);
std::string to_string(const Type& type);

}  // namespace agon::algol
