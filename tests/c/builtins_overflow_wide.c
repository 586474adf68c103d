// SPDX-License-Identifier: Apache-2.0
// Checked multiplication of unsigned numbers of 64 bits.
#include <stdio.h>

static int check(unsigned long a, unsigned long b) {
  unsigned long r;
  int o = __builtin_mul_overflow(a, b, &r);
  printf("%d %lx\n", o, r);
  return o;
}

int main(void) {
  int n = check(~0UL, 3) + check(1UL << 32, 1UL << 32) + check(~0UL, 0);
  n += check(0xffffffffUL, 0x100000001UL) + check(~0UL, ~0UL) + check(7, 6);
  unsigned long sum;
  n += __builtin_add_overflow(~0UL, 1UL, &sum) * 10;
  printf("%lx\n", sum);
  return n;
}
