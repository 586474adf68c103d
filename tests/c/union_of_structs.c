// SPDX-License-Identifier: Apache-2.0
// Structs with padding in a union are copied with all bytes.
#include <stdio.h>
#include <string.h>

union u {
  struct {
    char c;
    int i;
  } a;
  struct {
    char c[6];
  } b;
  struct {
    short s;
    char d;
    long long l;
  } c;
};
struct holder {
  int before;
  union u u;
  int after;
};

static void show(const union u *p) {
  const unsigned char *bytes = (const unsigned char *)p;
  for (unsigned i = 0; i < sizeof *p; ++i) printf("%02x", bytes[i]);
  printf("\n");
}
static union u same(union u x) { return x; }
static struct holder twice(struct holder h) {
  h.before *= 2;
  h.after *= 2;
  return h;
}

int main(void) {
  union u x;
  memset(&x, 0x5a, sizeof x);
  show(&x);
  x.a.c = 1;
  x.a.i = 0x01020304;
  union u y = x;
  show(&y);
  memcpy(y.b.c, "abcdef", 6);
  x = same(y);
  show(&x);
  struct holder h = {1, {.c = {-1, 'd', -2}}, 3}, g;
  g = twice(h);
  printf("%d %d %d %lld %d\n", g.before, g.u.c.s, g.u.c.d, g.u.c.l, g.after);
  union u array[2] = {{{1, 2}}, {.b = {"xyz"}}};
  union u t = array[0];
  array[0] = array[1];
  array[1] = t;
  printf("%s %d\n", array[0].b.c, array[1].a.i);
  return g.before;
}
