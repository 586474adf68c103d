// SPDX-License-Identifier: Apache-2.0
// A struct or union is overwritten by a literal that is made of its parts.
// ALSO: -m32
#include <stdio.h>
struct P {
  int x, y;
};
struct B {
  int a[12];
  char c;
};
union U {
  int i;
  char c[4];
};
struct F {
  unsigned a : 3;
  unsigned b : 5;
  int c;
};
static struct P g = {1, 2};
struct P *pp = &g;
struct N {
  struct P p;
  struct P q;
};
int main(void) {
  struct P p = {1, 2};
  p = (struct P){p.y, p.x};
  printf("%d %d\n", p.x, p.y);
  g = (struct P){g.y, g.x};
  printf("%d %d\n", g.x, g.y);
  *pp = (struct P){.y = pp->x, .x = pp->y + 10};
  printf("%d %d\n", g.x, g.y);
  struct B b = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 'a'};
  b = (struct B){{b.a[11], b.a[10], b.a[0]}, b.c + 1};
  printf("%d %d %d %d %c\n", b.a[0], b.a[1], b.a[2], b.a[3], b.c);
  union U u = {.i = 0x01020304};
  u = (union U){.c = {u.c[3], u.c[2], u.c[1], u.c[0]}};
  printf("%x\n", u.i);
  struct F f = {1, 2, 3};
  f = (struct F){f.b, f.a, f.c + f.a};
  printf("%d %d %d\n", f.a, f.b, f.c);
  int c = p.x;
  p = c ? (struct P){p.y, p.x} : p;
  printf("%d %d\n", p.x, p.y);
  struct N n = {{1, 2}, {3, 4}};
  n = (struct N){n.q, n.p};
  printf("%d %d %d %d\n", n.p.x, n.p.y, n.q.x, n.q.y);
  n.p = (struct P){n.p.y, n.p.x};
  n.q = (n.p.x = 7, (struct P){n.q.y, n.q.x});
  printf("%d %d %d %d\n", n.p.x, n.p.y, n.q.x, n.q.y);
  struct P arr[3] = {{1, 2}, {3, 4}, {5, 6}};
  for (int i = 0; i < 3; i++)
    arr[i] = (struct P){arr[i].y * 2, arr[(i + 1) % 3].x};
  for (int i = 0; i < 3; i++) printf("%d %d\n", arr[i].x, arr[i].y);
  struct P q = ({
    struct P t = p;
    (struct P){t.y, t.x};
  });
  printf("%d %d\n", q.x, q.y);
  q = ({
    struct P t = q;
    t.x++;
    t;
  });
  printf("%d %d\n", q.x, q.y);
  int *ip = (int[]){1, 2, 3};
  ip = (int[]){ip[2], ip[1], ip[0]};
  printf("%d %d %d\n", ip[0], ip[1], ip[2]);
  return 0;
}
