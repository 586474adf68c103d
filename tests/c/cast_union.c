// SPDX-License-Identifier: Apache-2.0
// GNU casts to a union, old ways to write things, and ranges of members.
#include <stdio.h>

union number {
  int i;
  unsigned char bytes[4];
  short s;
};

static int low(union number n) { return n.bytes[0]; }

int main(void) {
  int x = 0x01020304;
  short s = -2;
  union number n = (union number)x;
  printf("%d %d\n", n.bytes[3], low((union number)0x55));
  n = (union number)s;
  printf("%d\n", n.s);
  return low((union number)x);
}
