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

int table[3] = {5, -6, 7};
unsigned char text[] = "a\xff";
static int zeros[4];

// What is in memory is what an int can be.
void read_twice(int *p) {
  long sum = (long)*p + *p;
  assert(sum < 4294967296 && sum >= -4294967296);
}

// The same memory as bytes and as a number.
void see_bytes(unsigned *p) {
  *p = 0x12345678;
  unsigned char *byte = (unsigned char *)p;
  assert(byte[0] == 0x78 && byte[3] == 0x12);
  byte[1] = 0xff;
  assert(*p == 0x1234ff78);
}

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
#elif CASE == 6
  // Globals start with what their initialisers say.
  if (x >= 0 && x < 3) {
    assert(table[x] > 4 || (x == 1 && table[x] == -6));
    assert(text[1] == 255 && zeros[x] == 0);
  }
#endif
  return 0;
}
