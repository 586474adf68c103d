// SPDX-License-Identifier: Apache-2.0
// _Bool holds 0 or 1 whatever is converted to it.
#include <stdbool.h>
#include <stdio.h>

struct flags {
  _Bool a;
  bool b;
};

static bool odd(int n) { return n & 1; }
static _Bool any(int n) { return n; }

static int g;

int main(void) {
  _Bool t = 256, f = 0, p = &g;
  printf("%d %d %d\n", t, f, p);
  printf("%d %d\n", (_Bool)512, (int)(_Bool)0x100000000LL);
  t = 2;
  t += 2;
  printf("%d\n", t);
  t -= 1;
  printf("%d\n", t);
  t++;
  t++;
  printf("%d\n", t);
  t--;
  printf("%d\n", t);
  t--;
  printf("%d\n", t);
  t |= 4;
  printf("%d\n", t);
  t ^= 1;
  printf("%d\n", t);
  t = 1;
  t *= 6;
  printf("%d\n", t);
  t <<= 3;
  printf("%d\n", t);
  t &= 2;
  printf("%d\n", t);
  struct flags s = {7, -1};
  printf("%d %d %d\n", s.a, s.b, (int)sizeof s);
  printf("%d %d %d\n", odd(7), odd(8), any(64));
  printf("%d\n", s.a + s.b);
  _Bool array[3] = {2, 0, 300};
  unsigned char *bytes = (unsigned char *)array;
  printf("%d %d %d\n", bytes[0], bytes[1], bytes[2]);
  bool same = (t == f) == true;
  return same ? 3 : 4;
}
