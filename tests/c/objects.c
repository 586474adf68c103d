// SPDX-License-Identifier: Apache-2.0
// Objects with virtual functions, and container_of.
#include <stdio.h>
typedef struct shape shape;
struct vt {
  int (*area)(const shape *);
  void (*scale)(shape *, int);
  const char *name;
};
struct shape {
  const struct vt *vt;
  shape *next;
};
struct rect {
  shape base;
  int w, h;
};
struct sq {
  struct rect r;
  char tag[3];
};
static int ra(const shape *s) {
  const struct rect *r = (const void *)s;
  return r->w * r->h;
}
static void rs(shape *s, int k) {
  ((struct rect *)s)->w *= k;
  ((struct rect *)s)->h *= k;
}
static int sa(const shape *s) { return ra(s) + ((struct sq *)s)->tag[0]; }
static const struct vt rvt = {ra, rs, "rect"},
                       svt = {.name = "sq", .area = sa, .scale = rs};
static struct rect r1 = {{&rvt}, 2, 3};
static struct sq s1 = {{{&svt, &r1.base}, 4, 4}, "q"};
#define container_of(p, t, m) ((t *)((char *)(p) - __builtin_offsetof(t, m)))
int main(void) {
  int tot = 0;
  for (shape *s = &s1.r.base; s; s = s->next) {
    s->vt->scale(s, 2);
    int a = s->vt->area(s);
    tot += a;
    printf("%s %d\n", s->vt->name, a);
  }
  int *ph = &s1.r.h;
  struct sq *o = container_of(ph, struct sq, r.h);
  printf("%c %d\n", o->tag[0], o == &s1);
  shape *list[] = {&r1.base, &s1.r.base, 0};
  shape **i = list;
  while (*i) tot += (*i++)->vt->area == sa;
  printf("%d\n", tot);
  return 0;
}
