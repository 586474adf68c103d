// SPDX-License-Identifier: Apache-2.0
// Comparisons as numbers.
#include <stdio.h>

int main(void) {
  int a = 3, b = 5, c = 1;
  unsigned u = 3;
  printf("%d %d\n", a < b < c, a > b == c);
  printf("%d %d\n", -(a < b), (a < b) << 3);
  printf("%d %d\n", !a + !b + !!c, ~(a == 3));
  printf("%d\n", (a < b) + (b < a) * 2 + (a <= 3) * 4 + (a >= 4) * 8);
  printf("%d\n", (a != b) - (a == b));
  unsigned char f = a < b;
  f -= a == 3;
  printf("%d\n", f);
  printf("%d %d\n", (a == b) == 0, a & b == 5);
  printf("%d %d\n", a - 4 < u, (int)(a - 4u) < 0);
  long long l = (long long)a << 33;
  printf("%d %d %d\n", l > a, (int)l > a, l == 25769803776LL);
  int *p = &a, *q = &b, *n = 0;
  printf("%d %d %d\n", p == q, p != q, (p == n) + (n == 0));
  printf("%d\n", (p == &a) & (q != n));
  char s[] = "abc";
  printf("%d %d\n", s < s + 1, &s[2] - s > 1);
  return (a < b ? 2 : 0) + (b < a);
}
