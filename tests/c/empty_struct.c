// SPDX-License-Identifier: Apache-2.0
// Empty structs, zero-length arrays, and structs of one member.
#include <stdio.h>

struct empty {};
struct wrapped {
  struct empty e;
  int x;
  struct empty f[3];
};
struct zero {
  int a[0];
};
struct one {
  struct {
    struct {
      short s;
    } b;
  } a;
};

static struct empty pass(struct empty e, int x) {
  printf("%d\n", x);
  return e;
}
static struct one next(struct one o) {
  o.a.b.s++;
  return o;
}

int main(void) {
  struct empty e, f = {};
  e = f;
  f = pass(e, 3);
  struct wrapped w = {.x = 4}, v;
  v = w;
  v.e = pass(w.e, v.x);
  struct zero z;
  struct one o = {{{32767}}};
  o = next(next(o));
  printf("%d %d %d %d\n", (int)sizeof e, (int)sizeof w, (int)sizeof z,
         o.a.b.s);
  return v.x;
}
