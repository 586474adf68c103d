// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Built-in functions that count and swap bits.
#include <stdio.h>

static const unsigned long long samples[] = {
    1, 2, 0x80, 0xff, 0x8000, 0x12345678, 0x80000000, 0xffffffff,
    0x100000001ULL, 0x8000000000000000ULL, 0x123456789abcdef0ULL, ~0ULL};

int main(void) {
  for (unsigned i = 0; i < sizeof samples / sizeof *samples; ++i) {
    const unsigned long long l = samples[i];
    const unsigned u = (unsigned)l | 1u << i;
    const unsigned long w = (unsigned long)l | 4;
    printf("%d %d %d %d ", __builtin_popcount(u), __builtin_popcountl(w),
           __builtin_popcountll(l), __builtin_popcount(0));
    printf("%d %d %d ", __builtin_clz(u), __builtin_clzl(w), __builtin_clzll(l));
    printf("%d %d %d ", __builtin_ctz(u), __builtin_ctzl(w), __builtin_ctzll(l));
    printf("%d %d %d ", __builtin_ffs(u << 3), __builtin_ffsl(w),
           __builtin_ffsll(l));
    printf("%d %d %d ", __builtin_parity(u), __builtin_parityl(w),
           __builtin_parityll(l));
    printf("%x %x %llx\n", __builtin_bswap16(u), __builtin_bswap32(u),
           (unsigned long long)__builtin_bswap64(l));
  }
  printf("%d %d\n", __builtin_ffs(0), __builtin_ffsll(0));
  return __builtin_popcount(0x5555);
}
