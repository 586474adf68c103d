// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Narrowing keeps the low bits, widening copies the sign of the source type.
#include <stdio.h>

static signed char to_schar(long long x) { return x; }
static unsigned char to_uchar(long long x) { return x; }
static short to_short(long long x) { return x; }
static unsigned short to_ushort(long long x) { return x; }
static int to_int(long long x) { return x; }
static unsigned to_uint(long long x) { return x; }

int main(void) {
  static const long long samples[] = {
      0,     1,          -1,          127,        128,         255,  256,
      32767, 32768,      65535,       65536,      2147483647,  -129, -32769,
      1LL << 31, 1LL << 32, (1LL << 32) - 1, 0x123456789abcdefLL, -(1LL << 40)};
  for (unsigned i = 0; i < sizeof samples / sizeof *samples; ++i) {
    const long long x = samples[i];
    printf("%lld: %d %d %d %d %d %u\n", x, to_schar(x), to_uchar(x),
           to_short(x), to_ushort(x), to_int(x), to_uint(x));
    printf("  %lld %lld %lld %lld\n", (long long)(signed char)x,
           (long long)(unsigned char)x, (long long)(int)x,
           (long long)(unsigned)x);
    printf("  %llu %llu\n", (unsigned long long)(short)x,
           (unsigned long long)(unsigned short)x);
    printf("  %d %d\n", (int)(short)(unsigned char)(signed char)x,
           (int)(unsigned short)(signed char)x);
  }
  return to_uchar(0x1ff) == 255 ? 7 : 8;
}
