// SPDX-License-Identifier: Apache-2.0
// Variables that are defined elsewhere, of which one file takes the address.
#include <stdio.h>

extern int scalar;
extern int array[];
extern struct pair {
  short a, b;
} pair;
extern const char *message;
extern int (*callback)(int);
void change(void);
static int square(int x) { return x * x; }

int main(void) {
  scalar = 5;
  pair.a = 6;
  change();
  printf("%d %d %d %d\n", scalar, array[2], pair.a, pair.b);
  printf("%s\n", message);
  callback = square;
  change();
  {
    extern int scalar;
    printf("%d\n", scalar);
  }
  return array[0];
}
