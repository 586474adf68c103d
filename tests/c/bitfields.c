// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Bit-fields: signs, widths, neighbours, and how they share words.
#include <stdio.h>

struct f {
  unsigned a : 3;
  signed b : 5;
  unsigned c : 1;
  unsigned : 0;
  unsigned d : 20;
  unsigned e : 13;
  int f : 32;
  signed g : 1;
  unsigned char h : 7;
  unsigned short i : 9;
};

static void show(const struct f *p) {
  printf("%d %d %d %d %d %d %d %d %d\n", p->a, p->b, p->c, p->d, p->e, p->f,
         p->g, p->h, p->i);
}
static void dump(const void *p, unsigned size) {
  const unsigned char *bytes = p;
  for (unsigned i = 0; i < size; ++i) printf("%02x ", bytes[i]);
  printf("\n");
}

static struct f global = {5, -3, 1, 0xabcde, 0x1555, -9, -1, 99, 300};

int main(void) {
  show(&global);
  dump(&global, sizeof global);
  printf("%d\n", (int)sizeof(struct f));
  struct f x = {0};
  x.a = 15;
  x.b = 16;
  x.c = 2;
  x.d = -1;
  x.e = 0x12345;
  x.f = 0x7fffffff;
  x.g = 1;
  x.h = 200;
  x.i = -1;
  show(&x);
  dump(&x, sizeof x);
  x.f++;
  x.d = 0;
  x.b = -16;
  x.b--;
  show(&x);
  struct f y = x;
  y.e = x.e + 1;
  y.a = global.a;
  show(&y);
  printf("%d %d\n", x.a - 8, x.a < -1);
  printf("%d %d\n", -x.h, ~x.c);
  printf("%d\n", x.d - 1 < 0);
  return y.e & 63;
}
