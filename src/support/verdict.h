// SPDX-License-Identifier: Apache-2.0
/// The three answers that anything Agon decides can have.
#pragma once

#include <string_view>

namespace agon::support {

/// `Unknown` is honest: a limit was reached, and neither answer is proved.
enum class Verdict { Holds, Violated, Unknown };

constexpr std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return "holds";
    case Verdict::Violated:
      return "violated";
    case Verdict::Unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace agon::support
