// SPDX-License-Identifier: Apache-2.0
// Structs passed, returned and assigned as values.
#include <stdio.h>

struct point {
  int x, y;
};
struct line {
  struct point from, to;
  char name[6];
};
struct mixed {
  char c;
  long long l;
  short s;
  unsigned char bytes[5];
  int *p;
};

static struct point make(int x, int y) {
  struct point p = {x, y};
  return p;
}
static struct point add(struct point a, struct point b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}
static struct line swap(struct line l) {
  struct point t = l.from;
  l.from = l.to;
  l.to = t;
  l.name[0] = 'S';
  return l;
}
static int sum(struct mixed m) {
  int total = m.c + (int)m.l + m.s + *m.p;
  for (int i = 0; i < 5; ++i) total += m.bytes[i];
  m.bytes[0] = 0;
  *m.p += 1;
  return total;
}
static struct mixed through(struct mixed m) { return m; }

int main(void) {
  struct point a = make(1, 2), b;
  b = a;
  b.x = 10;
  printf("%d %d %d %d\n", a.x, a.y, b.x, b.y);
  struct point c = add(add(a, b), make(100, 200));
  printf("%d %d\n", c.x, c.y);
  printf("%d\n", add(a, b).y + make(5, 6).x);
  struct line l = {{1, 2}, {3, 4}, "line"};
  struct line m = swap(l);
  printf("%d %d %s %s\n", m.from.x, m.to.y, l.name, m.name);
  l = m = swap(m);
  printf("%d %s %d\n", l.from.x, l.name, m.to.x);
  l = l;
  printf("%d %s\n", l.from.y, l.name);
  int number = 1000;
  struct mixed x = {1, 2, 3, {4, 5, 6, 7, 8}, &number};
  printf("%d ", sum(x));
  printf("%d ", sum(through(through(x))));
  printf("%d %d\n", x.bytes[0], number);
  struct point array[3] = {{1, 1}, {2, 2}, {3, 3}};
  array[0] = array[2];
  array[2] = make(9, 9);
  struct point *p = array;
  *p++ = array[1];
  *p = add(*p, p[1]);
  printf("%d %d %d\n", array[0].x, array[1].x, array[2].x);
  return c.x % 100;
}
