// SPDX-License-Identifier: Apache-2.0
// Common symbols: one variable, however often it is declared.
#include <stdio.h>

int counter;
int initialised;
int table[4];
struct point {
  int x, y;
} origin;
int *pointer;
extern int bump(void);

int main(void) {
  counter++;
  printf("%d ", bump());
  printf("%d %d\n", counter, initialised);
  printf("%d %d %d\n", table[0], table[3], origin.y);
  printf("%d %d\n", *pointer, pointer == &counter);
  return initialised;
}
