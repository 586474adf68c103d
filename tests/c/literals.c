// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Integer constants: bases, suffixes and the type each gets.
#include <stdio.h>

#define SIZE(x) (int)sizeof(x)

int main(void) {
  printf("%d %d %d %d\n", 10, 010, 0x10, 0b10);
  printf("%d %d %d\n", SIZE(2147483647), SIZE(2147483648), SIZE(0x80000000));
  printf("%d %d %d\n", SIZE(1u), SIZE(1l), SIZE(1ull));
  printf("%d %d\n", SIZE(4294967295), SIZE(4294967296));
  printf("%d %d\n", -1 < 0x80000000, -1 < 0x7fffffff);
  printf("%lld %llu\n", -9223372036854775807LL - 1, 18446744073709551615ULL);
  printf("%d %d %d %d\n", 'a', '\x41', '\101', '\'');
  return 0x2a;
}
