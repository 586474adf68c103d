// SPDX-License-Identifier: Apache-2.0
#include "evidence/recording.h"

namespace agon::evidence {

const char* to_string(Recording::Kind kind) {
  switch (kind) {
    case Recording::Kind::Choice:
      return "choice";
    case Recording::Kind::Array:
      return "array";
    case Recording::Kind::Call:
      return "call";
    case Recording::Kind::Object:
      return "object";
    case Recording::Kind::Heap:
      return "heap";
    case Recording::Kind::Function:
      return "function";
  }
  return "";
}

term::Bits number(const std::string& digits) {
  term::Bits value = 0;
  for (const char digit : digits) {
    value = value * 10 + static_cast<unsigned>(digit - '0');
  }
  return value;
}

}  // namespace agon::evidence
