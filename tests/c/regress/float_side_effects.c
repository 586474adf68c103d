// SPDX-License-Identifier: Apache-2.0
// Side effects in front of constants of floating point happen.
#include <stdio.h>

static int n;
static int next(void) { return ++n; }

int main(void) {
  int x = 0;
  if ((x++, 1.0) > 0.5) x += 0;
  printf("%d\n", x);
  int less = (next(), 2.0) < 1.0;
  printf("%d\n", n);
  double d = (next(), 1.5);
  printf("%d\n", n);
  if (next() > 0.0 || next() <= 0.0) n += 0;
  d = next();
  d += next();
  d *= (n += 100, 2.0);
  next() * 2.0;
  (void)-(double)next();
  printf("%d\n", n > 100);
  return 0;
}
