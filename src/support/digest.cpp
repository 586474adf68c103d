// SPDX-License-Identifier: Apache-2.0
#include "support/digest.h"

#include <fmt/format.h>

#include <cstdint>

namespace agon::support {

Digest& Digest::add(std::string_view part) {
  const std::string size = fmt::format("{}:", part.size());
  hash_.process_bytes(size.data(), size.size());
  hash_.process_bytes(part.data(), part.size());
  return *this;
}

std::string Digest::text() const {
  boost::uuids::detail::sha1 copy = hash_;  // Asking for it ends it.
  boost::uuids::detail::sha1::digest_type words;
  copy.get_digest(words);
  std::string result;
  for (const std::uint32_t word : words) result += fmt::format("{:08x}", word);
  return result;
}

}  // namespace agon::support
