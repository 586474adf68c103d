// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Pointer arithmetic, differences, comparisons and pointers to pointers.
#include <stdio.h>

struct triple {
  char c[3];
};

static void advance(int **p, int n) { *p += n; }
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  int a[8] = {0, 10, 20, 30, 40, 50, 60, 70};
  int *p = a + 3, *q = &a[7];
  printf("%d %d %d\n", *p, p[2], p[-2]);
  printf("%d %d\n", (int)(q - p), (int)(p - q));
  printf("%d %d %d %d\n", p < q, p > q, p <= a + 3, p != q);
  unsigned one = 1;
  printf("%d %d\n", *(p + one), *(p - one));
  long minus = -1;
  signed char small = -2;
  printf("%d %d\n", p[minus], p[small]);
  advance(&p, 2);
  advance(&q, -3);
  printf("%d %d\n", *p, *q);
  swap(p, &a[0]);
  printf("%d %d\n", a[0], a[5]);
  int **pp = &p, ***ppp = &pp;
  ***ppp = 99;
  **ppp = a;
  printf("%d %d\n", a[5], *p);
  *pp += 1;
  printf("%d\n", **pp);
  struct triple t[4] = {{"abc"}, {"def"}, {"ghi"}, {"jkl"}};
  struct triple *tp = t + 3;
  printf("%c %d\n", tp[-1].c[1], (int)(tp - t));
  void *v = &t[1];
  printf("%c\n", *(char *)(v + 1));
  char *c = v;
  printf("%d\n", (int)((struct triple *)(c + 6) - t));
  printf("%d %d\n", p == (int *)(void *)p, (void *)p == v);
  int *null = 0;
  printf("%d %d\n", !null, null == (void *)0);
  int *const fixed = a + 1;
  *fixed = 5;
  const int *reader = fixed;
  int first = *reader++;
  printf("%d %d\n", first, *reader);
  for (p = a, q = a + 7; p < q; ++p, --q) swap(p, q);
  for (int i = 0; i < 8; ++i) printf("%d ", a[i]);
  printf("\n");
  return &a[6] - &a[1];
}
