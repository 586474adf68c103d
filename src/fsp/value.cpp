// SPDX-License-Identifier: Apache-2.0
#include "fsp/value.h"

#include <charconv>

namespace agon::fsp {

Value Value::of_label(std::string text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end) return of(number);
  return {true, 0, std::move(text)};
}

const Value* find(const Scope& scope, std::string_view name) {
  for (const Binding* b = scope.get(); b != nullptr; b = b->outer.get()) {
    if (b->name == name) return &b->value;
  }
  return nullptr;
}

Scope extend(const Scope& scope, std::string name, Value value) {
  const std::uint32_t depth = scope == nullptr ? 1 : scope->depth + 1;
  return std::make_shared<const Binding>(
      Binding{std::move(name), std::move(value), scope, depth});
}

}  // namespace agon::fsp
