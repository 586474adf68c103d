// SPDX-License-Identifier: Apache-2.0
// Quotients round towards zero, and remainders have the sign of the dividend.
#include <limits.h>
#include <stdio.h>

static int quotient(int a, int b) { return a / b; }
static int remainder_of(int a, int b) { return a % b; }

int main(void) {
  static const int numbers[] = {7, -7, 1, -1, 100, -100, INT_MAX, INT_MIN};
  const int n = sizeof numbers / sizeof *numbers;
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int a = numbers[i], b = numbers[j];
      if (a == INT_MIN && b == -1) continue;
      printf("%d/%d = %d rest %d; ", a, b, quotient(a, b), remainder_of(a, b));
      printf("%u %u\n", (unsigned)a / b, (unsigned)a % b);
      sum = sum * 31 + quotient(a, b) + 7 * remainder_of(a, b);
    }
  }
  signed char c = -128;
  printf("%d %d\n", c / -1, c % -1);
  c /= -1;
  printf("%d\n", c);
  short h = -32768;
  h %= 1000;
  printf("%d\n", h);
  long l = LONG_MIN;
  printf("%ld %ld\n", l / 1000003, l % 1000003);
  printf("%lu %lu\n", (unsigned long)l / 1000003, (unsigned long)l % 1000003);
  unsigned char u = 250;
  u /= -3;
  printf("%d\n", u);
  printf("%u\n", sum);
  return sum & 63;
}
