// SPDX-License-Identifier: Apache-2.0
// Programs that mathematical integers and those of the machine tell apart, or
// do not.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct pair {
  int first;
  unsigned char second;
};

void modify(struct pair *p, int i) { p->first = p->first + i; }

int main(void) {
  int x = __VERIFIER_nondet_int();
#if CASE == 1
  // Wraps at INT_MAX.
  assert(x + 1 > x);
#elif CASE == 2
  // Fails without any overflow.
  if (x > 10 && x < 100) assert(2 * x != 42);
#elif CASE == 3
  // Holds, and nothing overflows: conversions, memory, bits.
  struct pair all[3] = {{1, 2}, {3, 4}, {5, 6}};
  unsigned u = __VERIFIER_nondet_uint();
  unsigned char c = (unsigned char)u;
  int i = 0;
  while (i < 3) {
    modify(&all[i], i);
    i++;
  }
  assert(all[2].first == 7 && all[0].first == 1);
  assert(c <= 255 && (u & 15) < 16 && (u | 8) >= 8);
  if (x < 0) assert((unsigned)x > 5);
#elif CASE == 4
  // Integers do not know what the bits of two variables are together.
  int y = __VERIFIER_nondet_int();
  if (x >= 0 && y >= 0) assert((x & y) >= 0);
#elif CASE == 5
  // An overflow is no violation if integers cannot have it, but the other way
  // round Agon does not know.
  if (x > 1000000) {
    int y = x * 65536;
    assert(y / 65536 != x);
  }
#endif
  return 0;
}
