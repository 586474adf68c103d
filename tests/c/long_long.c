// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// 64-bit arithmetic, also where pointers have 32 bits.
#include <stdio.h>

static unsigned long long mix(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 29;
  x += x << 7;
  return x;
}

int main(void) {
  unsigned long long h = 1;
  for (int i = 0; i < 40; ++i) h = mix(h + i);
  printf("%llx\n", h);
  long long a = 0x7fffffffffffffffLL, b = -3;
  printf("%lld %lld %lld\n", a / b, a % b, a * b);
  printf("%lld %lld\n", b / 2, b % 2);
  printf("%lld %lld\n", a >> 17, b >> 1);
  printf("%llu %llu\n", (unsigned long long)b / 10, (unsigned long long)b % 10);
  printf("%d %d %d\n", a > b, (unsigned long long)a > b, a == b);
  printf("%llx\n", ~h & 0xffffULL << 40);
  printf("%lld\n", (a + 1) / 2);
  int shift = 63;
  printf("%llu %lld\n", 1ULL << shift, (long long)(1ULL << shift) >> shift);
  return (int)(h & 127);
}
