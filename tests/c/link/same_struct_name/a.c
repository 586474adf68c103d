// SPDX-License-Identifier: Apache-2.0
// Structs of the same names but with other members inside.
#include <stdio.h>

struct inner {
  char a;
  int b;
};
struct outer {
  struct inner in;
};
int first(void) {
  struct outer x = {{1, 2}}, y;
  y = x;
  return y.in.a * 10 + y.in.b;
}
int second(void);

int main(void) {
  printf("%d %d\n", first(), second());
  return 0;
}
