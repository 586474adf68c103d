// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Integer promotions: arithmetic happens in int or wider.
#include <stdio.h>

int main(void) {
  unsigned char a = 200, b = 100;
  printf("%d %d %d\n", a + b, a * b, b - a);
  printf("%d\n", (unsigned char)(a + b));
  unsigned short h = 65535;
  printf("%d %d %d\n", h + 1, -h, ~h);
  printf("%u\n", (unsigned)h * 65537u);
  signed char s = -128;
  printf("%d %d %d\n", -s, s - 1, s * s);
  printf("%d %d %d\n", ~a, !a, -a);
  printf("%d %d\n", a << 8, a >> 3);
  short x = -1;
  printf("%d %u\n", x >> 1, (unsigned short)x >> 1);
  printf("%d %d\n", (int)sizeof(a + b), (int)sizeof(+x));
  printf("%d\n", (int)sizeof(a << 1L));
  printf("%d\n", (int)sizeof(1 ? a : b));
  _Bool t = 1;
  printf("%d %d %d\n", t + t, -t, ~t);
  return 0;
}
