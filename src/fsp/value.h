// SPDX-License-Identifier: Apache-2.0
/// Values of constants and variables, and the scopes that bind them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace agon::fsp {

/// An integer or a label.
struct Value {
  bool is_label = false;
  std::int64_t number = 0;
  std::string label;

  static Value of(std::int64_t number) { return {false, number, {}}; }
  /// The value of an element of a set. One that looks like a number is one.
  static Value of_label(std::string text);

  /// As a part of a label.
  std::string text() const { return is_label ? label : std::to_string(number); }
};

/// Parameters and variables, innermost first. Immutable and shared.
struct Binding {
  std::string name;
  Value value;
  std::shared_ptr<const Binding> outer;
  std::uint32_t depth = 1;
};
using Scope = std::shared_ptr<const Binding>;

/// The value bound to a name, or null.
const Value* find(const Scope& scope, std::string_view name);

/// `scope` with one more binding.
Scope extend(const Scope& scope, std::string name, Value value);

}  // namespace agon::fsp
