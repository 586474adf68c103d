// SPDX-License-Identifier: Apache-2.0
/// Digests of texts: equal ones have equal digests, and others do not unless
/// somebody tries hard.
#pragma once

#include <boost/uuid/detail/sha1.hpp>
#include <string>
#include <string_view>

namespace agon::support {

class Digest {
 public:
  /// Where one part ends and the next begins counts.
  Digest& add(std::string_view part);

  /// Of all parts so far, 40 hexadecimal digits.
  std::string text() const;

 private:
  boost::uuids::detail::sha1 hash_;
};

}  // namespace agon::support
