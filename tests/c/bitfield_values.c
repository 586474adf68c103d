// SPDX-License-Identifier: Apache-2.0
// The value of an assignment to a bit-field is what the field then holds.
#include <stdio.h>

struct s {
  unsigned u : 4;
  signed i : 4;
  _Bool b : 1;
  unsigned long long w : 33;
};

static struct s g;
static struct s *get(void) { return &g; }

int main(void) {
  struct s s = {0};
  printf("%d\n", s.u = 20);
  printf("%d\n", s.i = 9);
  printf("%d\n", s.b = 4);
  int x = s.u = s.i = 15;
  printf("%d %d %d\n", x, s.u, s.i);
  printf("%d ", s.u++);
  printf("%d ", s.u--);
  printf("%d\n", s.u);
  printf("%d ", ++s.i);
  printf("%d\n", --s.i);
  s.i = 7;
  printf("%d ", s.i++);
  printf("%d\n", s.i);
  printf("%d\n", s.u += 9);
  printf("%d\n", s.u *= 3);
  printf("%d\n", s.u <<= 2);
  printf("%d\n", s.i -= 5);
  printf("%d\n", s.i >>= 1);
  printf("%d\n", s.i /= -1);
  printf("%d\n", s.u ^= 0xff);
  printf("%d\n", s.b ^= 1);
  printf("%d\n", s.b |= 6);
  s.w = 0x1ffffffffULL;
  s.w++;
  printf("%llu\n", (unsigned long long)s.w);
  s.w -= 2;
  printf("%llx\n", (unsigned long long)s.w);
  get()->u = 9;
  get()->u |= 6;
  get()->i = -get()->u;
  printf("%d %d\n", g.u, g.i);
  if (s.u = 16) printf("not reached\n");
  if (s.i = 8) printf("negative %d\n", s.i);
  return s.i & 15;
}
