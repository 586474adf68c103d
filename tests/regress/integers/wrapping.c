// SPDX-License-Identifier: Apache-2.0
// Sums whose constants would be other numbers after they were brought together
// by machine arithmetic. No run overflows.
#include <assert.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
#if CASE == 1
  if (x == -1073741824) assert((x + 1073741824) * 4 < 0);
#elif CASE == 2
  if (u == 0) assert(u + 3000000000u < 5);
#elif CASE == 3
  if (x == -2147483647) assert((x + 2147483647) + 1073741824 < 0);
#elif CASE == 4
  if (u < 10) assert(4294967295u - u + 1 < 100);
#elif CASE == 5
  if (u == 0) assert(u + 4294967295u < 5);
#elif CASE == 6
  if (x > 0 && x < 100) assert((x - 1) * 3 + 5 == 3 * x + 2);
  if (u > 5 && u < 100) assert(4294967295u - u > 4294967000u);
#endif
  return 0;
}
