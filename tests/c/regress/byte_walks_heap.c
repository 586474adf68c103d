// SPDX-License-Identifier: Apache-2.0
// Pointers to bytes that walk over structs on the heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s {
  char a;
  char b[4];
  char c;
};
struct t {
  struct s list[2];
  short h;
};

static struct s *global;

static int sum(const void *p, int n) {
  const unsigned char *c = p;
  int total = 0;
  while (n--) total = total * 3 + *c++;
  return total;
}

int main(void) {
  global = calloc(2, sizeof *global);
  global[1].c = 1;
  global[0].c = 2;
  printf("%d\n", sum(global, 2 * sizeof *global));
  memset(&global[1].b[2], 3, 2);
  printf("%d %d\n", sum(global, 12), sum(&global[1], 6));
  struct t *t = calloc(3, sizeof *t);
  t[2].list[1].c = 4;
  t[1].h = 5;
  printf("%d\n", sum(t, 3 * sizeof *t));
  for (char *p = (char *)t, *e = p + 42; p < e; ++p) *p += 1;
  printf("%d %d %d\n", t[2].list[1].c, t[1].h, t[0].list[0].b[3]);
  return 0;
}
