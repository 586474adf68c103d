// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Shifts: the type is that of the left operand, signed right shifts copy the
// sign, and bits pushed into the sign stay.
#include <stdio.h>

int main(void) {
  int x = -17;
  unsigned u = 0xdeadbeef;
  for (int i = 0; i < 32; i += 5) {
    printf("%d %d %u %u\n", x << i, x >> i, u << i, u >> i);
  }
  printf("%d\n", 1 << 31);
  long long l = -1;
  printf("%lld %lld\n", l << 40, l >> 40);
  unsigned char c = 0x81;
  printf("%d %d\n", c << 1, (unsigned char)(c << 1));
  signed char s = (signed char)0x81;
  printf("%d %d\n", s >> 1, s << 1);
  c >>= 3;
  s >>= 3;
  printf("%d %d\n", c, s);
  c <<= 5;
  s <<= 7;
  printf("%d %d\n", c, s);
  unsigned long long amount = 4;
  printf("%d %u\n", 3 << amount, u >> amount);
  char by = 9;
  printf("%lld\n", 1LL << by);
  short h = -2;
  h >>= (unsigned char)1;
  printf("%d\n", h);
  return 1 << 3 >> 1;
}
