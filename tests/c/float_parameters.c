// SPDX-License-Identifier: Apache-2.0
// Floats in old definitions and in variadic calls.
#include <stdio.h>
#include <string.h>

static unsigned old(f) float f;
{
  unsigned u;
  memcpy(&u, &f, sizeof u);
  return u;
}
static int first(double d, int n, float f) { return n; }

int main(void) {
  printf("%x\n", old(1.5));
  printf("%d\n", first(1.0, 3, 2.0f));
  return 0;
}
