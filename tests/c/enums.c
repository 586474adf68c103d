// SPDX-License-Identifier: Apache-2.0
// Enumerations: gaps, negative and large values, and what they promote to.
#include <stdio.h>

enum plain { A, B, C = 10, D, E = C + D, F };
enum negative { LOW = -5, NEXT, ZERO = 0, TOP = 2147483647 };
enum large { HUGE = 0x80000000u, BIGGER };
enum wide { WIDE = 0x123456789LL, WIDE_NEGATIVE = -1 };
typedef enum { RED, GREEN, BLUE, COLOURS } colour;

static const char *const names[COLOURS] = {
    [BLUE] = "blue", [RED] = "red", [GREEN] = "green"};

static colour next(colour c) { return (c + 1) % COLOURS; }

static int classify(enum negative n) {
  switch (n) {
    case LOW:
      return 1;
    case NEXT:
      return 2;
    case TOP:
      return 3;
    default:
      return 0;
  }
}

int main(void) {
  printf("%d %d %d %d %d %d\n", A, B, C, D, E, F);
  printf("%d %d %d\n", LOW, NEXT, TOP);
  printf("%u %u %d\n", HUGE, BIGGER, HUGE > 0);
  printf("%lld %lld\n", (long long)WIDE, (long long)WIDE_NEGATIVE);
  printf("%d %d\n", (int)sizeof(enum plain), (int)sizeof(enum wide));
  enum plain p = -1;
  printf("%d %d\n", p > 0, (int)p);
  enum negative n = -1;
  printf("%d\n", n < 0);
  enum wide w = WIDE;
  w += 1;
  printf("%llx\n", (unsigned long long)w);
  colour c = RED;
  for (int i = 0; i < 5; ++i, c = next(c)) printf("%s ", names[c]);
  printf("\n%d %d %d %d\n", classify(LOW), classify(-4), classify(7),
         classify(TOP));
  enum { INNER = 3, MORE = INNER << 2 } local = MORE;
  int array[INNER] = {1, 2, 3};
  c++;
  c |= 4;
  return local + array[2] + c;
}
