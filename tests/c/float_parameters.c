// SPDX-License-Identifier: Apache-2.0
// Floats as parameters, between others that must arrive in the right place.
#include <stdio.h>
#include <string.h>

static int old(a, f, b) short a;
float f;
char b;
{ return a * 100 + b; }
static int middle(double d, int n, float f, long double l, char c) {
  return n * 1000 + c;
}
static unsigned bits(float f) {
  unsigned u;
  memcpy(&u, &f, sizeof u);
  return u;
}

int main(void) {
  printf("%d\n", old(70000, 1.5, 300));
  printf("%d\n", middle(1.0, 3, 2.0f, 3.0L, 44));
  printf("%x\n", bits(-2.5));
  return 0;
}
