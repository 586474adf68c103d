// SPDX-License-Identifier: Apache-2.0
// Structs whose new value is read through their old one.
#include <stdio.h>
struct S { int a, b; };
struct N { struct N *next; int v; };
struct Big { int a[12]; };
union U { struct S s; long l; };
static struct S id(struct S s) { return s; }
struct W { struct S in, out; };
int main(void) {
  struct S s = {1, 2};
  s = (struct S){s.b, s.a};
  printf("%d %d\n", s.a, s.b);
  struct S t = {3, 4}, *p = &t;
  *p = (struct S){p->b, p->a};
  printf("%d %d\n", t.a, t.b);
  struct N x = {0, 7}, y = {&x, 8}, cur = {&y, 9};
  cur = *cur.next;
  printf("%d %d\n", cur.v, cur.next == &x);
  cur = *cur.next;
  printf("%d %d\n", cur.v, cur.next == 0);
  struct S arr[3] = {{1, 5}, {2, 6}, {0, 7}};
  struct S c = {1, 1};
  c = arr[c.a];
  printf("%d %d\n", c.a, c.b);
  s = id((struct S){s.b, s.a});
  printf("%d %d\n", s.a, s.b);
  struct S q = {1, 2}, r = {5, 6};
  q = r.a > 3 ? (struct S){q.b, q.a} : r;
  printf("%d %d\n", q.a, q.b);
  struct W w = {{1, 2}, {3, 4}};
  w = (struct W){w.out, w.in};
  printf("%d %d %d %d\n", w.in.a, w.in.b, w.out.a, w.out.b);
  struct W v = {{1, 2}, {3, 4}}, *vp = &v;
  *vp = (struct W){vp->out, vp->in};
  printf("%d %d %d %d\n", v.in.a, v.in.b, v.out.a, v.out.b);
  struct Big b = {{0,1,2,3,4,5,6,7,8,9,10,11}};
  b = (struct Big){{b.a[11], b.a[0], b.a[1]}};
  printf("%d %d %d %d\n", b.a[0], b.a[1], b.a[2], b.a[3]);
  union U u = {{1, 2}};
  u.s = (struct S){u.s.b, u.s.a};
  printf("%d %d\n", u.s.a, u.s.b);
  struct S z = {1, 2};
  z = ({ struct S k = {z.b, z.a}; k; });
  printf("%d %d\n", z.a, z.b);
  struct { int n; struct S s; } e = {1, {2, 3}};
  e.s = (struct S){.b = e.s.a, .a = e.s.b};
  printf("%d %d\n", e.s.a, e.s.b);
  struct S init = (struct S){s.a, s.b}, two = init;
  printf("%d %d\n", two.a, two.b);
  struct S m = {1, 2};
  m = (struct S){m.b};
  printf("%d %d\n", m.a, m.b);
  struct S o = {1, 2};
  (o = (struct S){o.b, o.a}).a;
  printf("%d %d\n", o.a, o.b);
  return 0;
}
