// SPDX-License-Identifier: Apache-2.0
// Packed structs of bit-fields, in arrays, unions and by value.
#include <stdio.h>
#include <string.h>
struct s {
  unsigned a : 3, : 2, b : 4;
  signed c : 6;
  unsigned short d : 11;
  unsigned char e;
  unsigned f : 1;
} __attribute__((packed));
struct t {
  char x;
  struct s s[3];
  int y;
};
static struct t g = {
    1, {{1, 2, -3, 4, 5, 1}, {.d = 2047, .c = 31}, {7, 15}}, 9};
static void dump(void* p, int n) {
  unsigned char* c = p;
  while (n--) printf("%02x", *c++);
  printf("\n");
}
static struct s mod(struct s s) {
  s.a--;
  s.b <<= 1;
  s.c *= -1;
  s.d += 100;
  s.e ^= 0xf0;
  s.f = !s.f;
  return s;
}
int main(void) {
  printf("%d %d\n", (int)sizeof(struct s), (int)sizeof(struct t));
  dump(&g, sizeof g);
  for (int i = 0; i < 3; i++) g.s[i] = mod(g.s[(i + 1) % 3]);
  dump(&g, sizeof g);
  struct t l = g;
  l.s[1] = l.s[0];
  memset(&l.x, 0x7f, 1);
  dump(&l, sizeof l);
  printf("%d %d %d\n", l.s[2].c, l.s[2].d, l.s[0].b);
  union {
    struct s s;
    unsigned long long w;
  } u = {.w = 0};
  u.s = g.s[2];
  printf("%llx\n", u.w);
  return 0;
}
