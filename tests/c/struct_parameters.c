// SPDX-License-Identifier: Apache-2.0
// Parameters that are structs: changed, pointed to, and passed on.
#include <stdio.h>

struct p {
  int x, y;
};
struct q {
  struct p a, b;
  short s;
};

static int changes(struct p p) {
  p.x++;
  p.y = p.x * 2;
  return p.x + p.y;
}
static int points(struct p p, int n) {
  struct p *q = &p;
  if (n > 0) q->x += points(*q, n - 1);
  int *y = &p.y;
  ++*y;
  return p.x + p.y;
}
static struct p *escape(struct p *p) { return p; }
static int passes(struct q q) {
  int r = changes(q.a) + changes(q.b);
  q.a = q.b;
  escape(&q.a)->x = 100;
  return r * 1000 + q.a.x + q.b.x + q.s;
}
static int many(char c, struct p p, short s, struct q q, long long l,
                struct p r, int *sum) {
  *sum += c + p.x + p.y + s + q.a.y + q.b.x + q.s + (int)l + r.x * r.y;
  p = r;
  q.b = p;
  return q.b.x + q.b.y;
}
static void by_array(struct p p[static 2], const int n) {
  struct p t = p[0];
  p[0] = p[n];
  p[n] = t;
}

int main(void) {
  struct p p = {1, 2};
  printf("%d %d %d\n", changes(p), p.x, p.y);
  printf("%d %d\n", points(p, 3), p.x);
  struct q q = {{1, 2}, {3, 4}, 5};
  printf("%d %d\n", passes(q), q.a.x);
  int sum = 0;
  printf("%d ", many(1, p, 2, q, 3LL << 32 | 7, (struct p){5, 6}, &sum));
  printf("%d\n", sum);
  struct p pair[2] = {{1, 2}, {3, 4}};
  by_array(pair, 1);
  return pair[0].x * 10 + pair[1].y;
}
