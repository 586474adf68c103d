// SPDX-License-Identifier: Apache-2.0
// The comma operator, also where it looks like something else.
#include <stdio.h>

static int trace;
static int note(int x) {
  trace = trace * 10 + x;
  return x;
}

struct s {
  int a, b;
};

int main(void) {
  int x = (note(1), note(2), note(3));
  printf("%d %d\n", x, trace);
  int i, j;
  for (i = 0, j = 10; i < j; i++, j--) trace += i * j;
  printf("%d %d %d\n", i, j, trace);
  int a[3] = {(1, 2), (3, 4), 5};
  printf("%d %d %d\n", a[0], a[1], a[(i = 1, i + 1)]);
  printf("%d\n", (x = 4, x + 1));
  struct s p = {1, 2}, q = {3, 4};
  struct s r = (p.a = 9, q);
  printf("%d %d %d\n", p.a, r.a, r.b);
  if (x = 0, !x) printf("zero\n");
  while (note(7), x < 2) x++;
  printf("%d\n", trace);
  (void)(note(1), 0);
  trace = 0;
  return (note(4), note(2));
}
