// SPDX-License-Identifier: Apache-2.0
/// Values of bit-vectors of up to 128 bits, and integers of any size.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

namespace agon::term {

/// Both compilers have these types, although the standard does not.
__extension__ typedef unsigned __int128 Bits;
__extension__ typedef __int128 SignedBits;

/// A mathematical integer.
using Integer = boost::multiprecision::cpp_int;

/// The lowest `width` bits set, for 0 <= width <= 128.
constexpr Bits mask(unsigned width) {
  return width >= 128 ? ~Bits{0} : (Bits{1} << width) - 1;
}

constexpr Bits truncate(Bits value, unsigned width) {
  return value & mask(width);
}

/// Reads the lowest `width` bits as a two's complement number.
constexpr SignedBits as_signed(Bits value, unsigned width) {
  const Bits sign = Bits{1} << (width - 1);
  value = truncate(value, width);
  return static_cast<SignedBits>((value ^ sign) - sign);
}

}  // namespace agon::term
