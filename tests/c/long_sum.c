// SPDX-License-Identifier: Apache-2.0
// A sum of many terms, each of which could hold an address.
#include <stdio.h>

#define TEN(x) x x x x x x x x x x
#define THOUSAND(x) TEN(TEN(TEN(x)))
#define MANY(x) TEN(THOUSAND(x)) TEN(THOUSAND(x)) TEN(THOUSAND(x))

int main(void) {
  unsigned long x = 3;
  printf("%lu\n", 1 MANY(+x) MANY(+x));
  return 0;
}
