// SPDX-License-Identifier: Apache-2.0
// Unary operators on each type.
#include <stdio.h>

int main(void) {
  signed char c = -128;
  unsigned char uc = 1;
  short s = -32768;
  unsigned short us = 1;
  int i = -2147483647 - 1;
  unsigned u = 1;
  long long l = 1LL << 63;
  unsigned long long ul = 1;
  _Bool b = 1;
  printf("%d %d %d %d %d %u %lld %llu %d\n", -c, -uc, -s, -us, -i, -u, -l, -ul,
         -b);
  printf("%d %d %d %d %d %u %lld %llu %d\n", ~c, ~uc, ~s, ~us, ~i, ~u, ~l, ~ul,
         ~b);
  printf("%d %d %d %d %d %d %d %d %d\n", !c, !uc, !s, !us, !i, !u, !l, !ul, !b);
  printf("%d %d %d %d\n", +c, +uc, +s, +us);
  c = -c;
  s = -s;
  uc = -uc;
  us = ~us;
  printf("%d %d %d %d\n", c, s, uc, us);
  printf("%d %d %d\n", - -i == i, ~~u, !!l);
  printf("%d %d\n", (int)sizeof(-c), (int)sizeof(!l));
  printf("%d\n", *&*&i == i);
  return -(-5);
}
