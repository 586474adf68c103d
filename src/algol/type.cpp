// SPDX-License-Identifier: Apache-2.0
#include "algol/type.h"

#include <fmt/format.h>

namespace agon::algol {

std::string to_string(const Data& data) {
  if (data.is_bool) return "bool";
  if (data == kInt) return "int";
  if (data.range.low == 0) return fmt::format("nat%{}", data.range.high + 1);
  return "number";
}

std::string to_string(const BaseType& type) {
  switch (type.sort) {
    case Sort::Command:
      return "com";
    case Sort::Expression:
      return type.data.is_bool ? "exp bool" : "exp number";
    case Sort::Variable:
      return "var " + to_string(type.data);
    case Sort::Array:
      return fmt::format("{}[{}]", to_string(type.data), type.length);
  }
  return "?";
}

std::string to_string(const Type& type) {
  std::string text;
  for (const BaseType& parameter : type.parameters) {
    text += to_string(parameter) + " -> ";
  }
  return text + to_string(type.result);
}

}  // namespace agon::algol
