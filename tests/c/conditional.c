// SPDX-License-Identifier: Apache-2.0
// The conditional operator in all its forms.
#include <stdio.h>

struct point {
  int x, y;
};

static int trace;
static int note(int n) {
  trace = trace * 10 + n;
  return n;
}
static void left(void) { note(8); }
static void right(void) { note(9); }
static int (*choose(int c))(int) { return c ? note : 0; }

static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

int main(void) {
  printf("%d %d %d\n", sign(-9), sign(0), sign(9));
  int x = 1 ? note(2) : note(3);
  x += 0 ? note(2) : note(3);
  printf("%d %d\n", x, trace);
  printf("%d\n", note(0) ?: note(5));
  printf("%d\n", note(4) ?: note(6));
  printf("%d\n", trace);
  char *text = 0;
  printf("%s\n", text ?: "nothing");
  x > 0 ? left() : right();
  x > 10 ? left() : right();
  printf("%d\n", trace % 100);
  struct point p = {1, 2}, q = {3, 4};
  struct point r = x ? p : q;
  struct point s = !x ? p : q;
  printf("%d %d %d\n", r.x, s.y, (x == 5 ? p : q).x);
  int *ptr = x ? &p.x : &q.y;
  *ptr = 50;
  *(x ? &p.y : (int *)0) = 60;
  printf("%d %d\n", p.x, p.y);
  void *v = x ? &p : (void *)0;
  printf("%d\n", v == &p);
  printf("%u\n", x ? -1 : 1u);
  printf("%lld\n", (long long)(x ? -1 : 1u));
  printf("%d\n", choose(1)(7) + (choose(0) == 0));
  int a = 3, b = 4;
  (a < b ? a : b) + 1;
  int m = a < b ? a++ : b++;
  m += a > b ? a-- : b--;
  printf("%d %d %d\n", m, a, b);
  return x > 1 ? x < 9 ? x : 9 : 1;
}
