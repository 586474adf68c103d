// SPDX-License-Identifier: Apache-2.0
// while, do and for in all shapes.
#include <stdio.h>

int main(void) {
  int i = 0, n = 0;
  while (i < 5) n += i++;
  printf("%d %d\n", i, n);
  do {
    n -= i;
    if (n < -7) continue;
    if (n == -100) break;
  } while (--i);
  printf("%d %d\n", i, n);
  for (;;) {
    if (++i > 4) break;
  }
  for (int k = 0, m = 10; k < m; k += 2, --m) n += k * m;
  printf("%d %d\n", i, n);
  do n++;
  while (0);
  for (; n % 7;) n++;
  printf("%d\n", n);
  while (1) {
    while (1) {
      if (n++ % 5 == 0) break;
      if (n % 3) continue;
      n += 2;
    }
    if (n > 100) break;
  }
  printf("%d\n", n);
  for (int k = 0; k < 3; ++k) {
    int inner = k;
    for (int k = 5; k > inner; --k) n += k;
    inner += n;
    printf("%d ", inner);
  }
  printf("\n");
  unsigned u = 3;
  while (u --> 0) printf("%u ", u);
  printf("%u\n", u);
  int primes = 0;
  for (int p = 2; p < 100; ++p) {
    int d = 2;
    for (; d * d <= p; ++d)
      if (p % d == 0) goto composite;
    primes += p;
  composite:;
  }
  printf("%d\n", primes);
  for (i = 0; i < 10; i++)
    if (i == 3)
      ;
    else if (i == 6)
      break;
    else
      n += i;
  return n & 127;
}
