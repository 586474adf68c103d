// SPDX-License-Identifier: Apache-2.0
// Unions: type punning, nested structs, copies and arrays.
#include <stdio.h>

union word {
  unsigned u;
  unsigned char b[4];
  struct {
    unsigned short low, high;
  } half;
  signed char s;
};
union shape {
  int kind;
  struct {
    int kind, radius;
  } circle;
  struct {
    int kind;
    short w, h;
    char name[8];
  } box;
};
struct tagged {
  char tag;
  union {
    int i;
    char *text;
    long long l;
  } u;
};

static union word make(unsigned u) {
  union word w;
  w.u = u;
  return w;
}
static union word flip(union word w) {
  unsigned short t = w.half.low;
  w.half.low = w.half.high;
  w.half.high = t;
  return w;
}
static int area(union shape s) {
  switch (s.kind) {
    case 1:
      return 3 * s.circle.radius * s.circle.radius;
    case 2:
      return s.box.w * s.box.h + s.box.name[0];
  }
  return -1;
}

int main(void) {
  union word w = {0x12345678};
  printf("%x %x %x %x\n", w.b[0], w.b[3], w.half.low, w.half.high);
  w.b[1] = 0xff;
  w.s = -2;
  printf("%x\n", w.u);
  w = flip(make(w.u + 1));
  printf("%x\n", w.u);
  union word copy = w, other;
  other = copy;
  copy.u = 0;
  printf("%x %x\n", other.u, copy.u);
  union shape c = {.circle = {1, 5}}, b = {.box = {2, 6, 7, "box"}};
  printf("%d %d\n", area(c), area(b));
  b.circle.radius = 0x00020003;
  printf("%d %s\n", area(b), b.box.name);
  struct tagged t[3] = {{'i', {42}}, {'t', {.text = "text"}}, {'l', {.l = -1}}};
  for (int i = 0; i < 3; ++i) {
    struct tagged x = t[i];
    if (x.tag == 'i') printf("%d\n", x.u.i);
    if (x.tag == 't') printf("%s\n", x.u.text);
    if (x.tag == 'l') printf("%lld\n", x.u.l);
  }
  t[0].u.l = 0x1122334455667788LL;
  printf("%x\n", t[0].u.i);
  printf("%d %d\n", (int)sizeof(union shape), (int)sizeof(union word));
  union word *p = &w;
  p->b[2]++;
  ++p->half.high;
  return w.b[2];
}
