// SPDX-License-Identifier: Apache-2.0
// Both arguments of __builtin_expect are evaluated.
#include <stdio.h>

int main(int argc, char **argv) {
  int z = 10;
  if (__builtin_expect(argc < 0, z++)) return 7;
  printf("%d\n", z);
  if (__builtin_expect(argc >= 0, (z++, 1))) printf("%d\n", z);
  return z;
}
