// SPDX-License-Identifier: Apache-2.0
/// A certificate that does not prove what it claims.
#pragma once

#include <stdexcept>

namespace agon::certify {

/// Says which obligation fails, for people. Caught only where the answer about
/// a proof is given.
class Rejected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace agon::certify
