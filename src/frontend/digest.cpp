// SPDX-License-Identifier: Apache-2.0
#include "frontend/digest.h"

#include <fmt/format.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/SHA256.h>

namespace agon::frontend {

std::string sha256(std::string_view text) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::string result;
  for (const std::uint8_t byte :
       llvm::SHA256::hash(llvm::ArrayRef<std::uint8_t>(bytes, text.size()))) {
    result += fmt::format("{:02x}", byte);
  }
  return result;
}

}  // namespace agon::frontend
