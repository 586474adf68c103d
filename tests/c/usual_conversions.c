// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Usual arithmetic conversions between signed and unsigned of all widths.
#include <stdio.h>

int main(void) {
  int i = -1;
  unsigned u = 1;
  long l = -1;
  unsigned long ul = 1;
  long long ll = -1;
  unsigned long long ull = 1;
  short h = -1;
  unsigned short uh = 1;
  printf("%d %d %d\n", i < u, i < uh, h < uh);
  printf("%d %d %d\n", l < u, l < ul, i < ul);
  printf("%d %d %d\n", ll < u, ll < ul, ll < ull);
  printf("%u %u\n", i + u, i * u);
  printf("%lld %lld\n", (long long)(l + u), (long long)(i + u));
  printf("%lld\n", ll + u);
  printf("%llu\n", i + ull - 1);
  printf("%u\n", h / 2u);
  printf("%d\n", h / 2);
  printf("%u %d\n", i / 2u, i / 2);
  printf("%u %u\n", i % 10u, h % 10u);
  printf("%lld\n", (long long)(1 ? i : u));
  printf("%lld\n", (long long)(0 ? ll : u));
  printf("%d\n", -1 < sizeof(int));
  printf("%d\n", (char)-1 == (unsigned char)-1);
  printf("%d\n", -1L == 0xffffffffffffffff);
  printf("%d\n", (short)-1 == (unsigned short)-1);
  printf("%d %d\n", -2147483647 - 1 < 2147483648, -1 < 2147483648u);
  return 0;
}
