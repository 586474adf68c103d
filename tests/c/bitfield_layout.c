// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Where bit-fields lie: straddling, zero width, mixed types, packed, unions.
#include <stdio.h>
#include <string.h>

struct straddle {
  unsigned a : 20, b : 20, c : 20;
};
struct mixed {
  char a : 4;
  short b : 10;
  int c : 20;
  char d;
  unsigned e : 4;
};
struct gaps {
  unsigned a : 3;
  unsigned : 5;
  unsigned b : 3;
  unsigned : 0;
  unsigned char c : 2;
  char : 0;
  unsigned char d : 2;
};
struct packed {
  unsigned a : 5;
  unsigned b : 30;
  unsigned c : 29;
  char d;
} __attribute__((packed));
struct wide {
  unsigned long long a : 40;
  unsigned long long b : 24;
  long long c : 50;
};
union u {
  unsigned word;
  unsigned three : 3;
  struct {
    unsigned low : 12;
    signed high : 20;
  } parts;
};

static void dump(const char *name, const void *p, unsigned size) {
  const unsigned char *bytes = p;
  printf("%s %d:", name, size);
  for (unsigned i = 0; i < size; ++i) printf(" %02x", bytes[i]);
  printf("\n");
}

int main(void) {
  struct straddle s;
  memset(&s, 0, sizeof s);
  s.a = 0xfffff;
  s.b = 0xaaaaa;
  s.c = 0x12345;
  dump("straddle", &s, sizeof s);
  struct mixed m;
  memset(&m, 0xff, sizeof m);
  m.b = 0x155;
  m.c = 0;
  dump("mixed", &m, sizeof m);
  m.a = 5;
  m.d = 6;
  m.e = 7;
  dump("mixed", &m, sizeof m);
  printf("%d %d %d %d %d\n", m.a, m.b, m.c, m.d, m.e);
  struct gaps g;
  memset(&g, 0, sizeof g);
  g.a = g.b = 7;
  g.c = g.d = 3;
  dump("gaps", &g, sizeof g);
  struct packed p;
  memset(&p, 0, sizeof p);
  p.b = 0x3fffffff;
  p.d = 'd';
  dump("packed", &p, sizeof p);
  p.c = 0x1234567;
  p.a = 21;
  struct packed q = p;
  dump("packed", &q, sizeof q);
  struct wide w;
  memset(&w, 0, sizeof w);
  w.a = 0xfedcba9876ULL;
  w.b = 0x112233;
  w.c = -5;
  dump("wide", &w, sizeof w);
  printf("%lld\n", (long long)w.c);
  union u u = {0xdeadbeef};
  printf("%d %d %d\n", u.three, u.parts.low, u.parts.high);
  u.three = 0;
  u.parts.high = 1;
  dump("union", &u, sizeof u);
  union u v = u;
  v.parts.low++;
  dump("union", &v, sizeof v);
  return 0;
}
