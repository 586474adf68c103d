// SPDX-License-Identifier: Apache-2.0
// Compound assignment computes in the common type and narrows at the end.
#include <stdio.h>

static int calls;
static int *place(int *p) {
  ++calls;
  return p;
}

int main(void) {
  unsigned char c = 200;
  c += 100;
  printf("%d\n", c);
  c -= 50;
  printf("%d\n", c);
  c *= 7;
  printf("%d\n", c);
  c /= 3;
  printf("%d\n", c);
  c %= 16;
  printf("%d\n", c);
  c <<= 6;
  printf("%d\n", c);
  c >>= 1;
  printf("%d\n", c);
  signed char s = 100;
  s += 100;
  printf("%d\n", s);
  s *= 3;
  printf("%d\n", s);
  s /= -2;
  printf("%d\n", s);
  int i = -7;
  i /= 2u;
  printf("%d\n", i);
  i = -7;
  i >>= 1u;
  printf("%d\n", i);
  i = -1;
  i += 1LL << 33;
  printf("%d\n", i);
  short h = 1;
  printf("%d\n", (h += 70000));
  printf("%d\n", (c = 300));
  unsigned u = 5;
  u += -6;
  printf("%u\n", u);
  long l = 1;
  l -= 2u;
  printf("%ld\n", l);
  int x = 5, y = 6;
  x += y *= 2;
  printf("%d %d\n", x, y);
  x ^= y, y ^= x, x ^= y;
  printf("%d %d\n", x, y);
  int array[3] = {1, 2, 3}, k = 0;
  array[k++] += 10;
  array[k++] *= array[0];
  *place(&array[2]) -= 100;
  (*place(&array[2]))++;
  printf("%d %d %d %d %d\n", array[0], array[1], array[2], k, calls);
  int *p = array;
  *p++ += 1;
  *++p <<= 2;
  p -= 2;
  printf("%d %d %d\n", p[0], p[1], p[2]);
  return calls;
}
