// SPDX-License-Identifier: Apache-2.0
// Checked arithmetic: what is stored, and whether it was exact.
#include <limits.h>
#include <stdio.h>

#define CHECK(op, type, format, a, b)                 \
  do {                                                \
    type r;                                           \
    int o = __builtin_##op##_overflow((a), (b), &r);  \
    printf(#op " " #type " %d " format "\n", o, r);   \
  } while (0)

int main(void) {
  int big = INT_MAX, low = INT_MIN;
  unsigned u = UINT_MAX;
  long l = LONG_MAX;
  CHECK(add, int, "%d", big, 1);
  CHECK(add, int, "%d", big, -1);
  CHECK(sub, int, "%d", low, 1);
  CHECK(mul, int, "%d", big, 2);
  CHECK(mul, int, "%d", low, -1);
  CHECK(add, unsigned, "%u", u, 1u);
  CHECK(sub, unsigned, "%u", 0u, 1u);
  CHECK(mul, unsigned, "%u", u, u);
  CHECK(add, unsigned, "%u", big, big);
  CHECK(sub, unsigned, "%u", 1, 2);
  CHECK(add, int, "%d", u, 0);
  CHECK(add, int, "%d", u, low);
  CHECK(add, short, "%d", 30000, 10000);
  CHECK(mul, unsigned char, "%d", 16, 16);
  CHECK(add, long, "%ld", l, 1L);
  CHECK(sub, long, "%ld", -l, 2L);
  CHECK(add, long, "%ld", big, u);
  CHECK(mul, long, "%ld", l, 2L);
  CHECK(mul, long, "%ld", 3037000499L, 3037000499L);
  CHECK(mul, long, "%ld", -l, -1L);
  int r;
  printf("%d\n", __builtin_sadd_overflow(big, 5, &r) ? r : 0);
  printf("%d\n", __builtin_smul_overflow(3, 5, &r) ? 0 : r);
  return 0;
}
