// SPDX-License-Identifier: Apache-2.0
// Structs inside structs and arrays, assigned as a whole and in parts.
#include <stdio.h>

struct inner {
  char tag;
  int values[3];
};
struct middle {
  struct inner one, two[2];
  short s;
};
struct outer {
  struct middle m;
  struct outer *self;
  struct {
    int a, b;
  } unnamed;
};

static struct outer global;

static int checksum(const struct outer *o) {
  int sum = o->m.one.tag * 3 + o->m.s;
  for (int i = 0; i < 3; ++i) {
    sum = sum * 7 + o->m.one.values[i];
    for (int j = 0; j < 2; ++j) sum = sum * 5 + o->m.two[j].values[i];
  }
  return sum + o->unnamed.a - o->unnamed.b;
}

int main(void) {
  struct outer o = {{{'a', {1, 2, 3}}, {{'b', {4, 5}}, {'c'}}, -7}, &o, {8, 9}};
  printf("%d\n", checksum(&o));
  global = o;
  global.m.two[1] = o.m.one;
  printf("%d %d\n", checksum(&global), global.self == &o);
  global.self->m.one.values[2] = 30;
  printf("%d %d\n", checksum(&o), checksum(&global));
  struct middle m = global.m;
  m.two[0] = m.two[1];
  m.two[0].values[0]++;
  o.m = m;
  printf("%d %d\n", checksum(&o), m.two[1].values[0]);
  o.self = &global;
  o.self->self = &o;
  o.self->self->self->unnamed.a = 1000;
  printf("%d\n", checksum(&global));
  struct inner *p = &o.m.one;
  struct inner copy = *p;
  p[0] = o.m.two[0];
  printf("%d %c\n", checksum(&o), copy.tag);
  return copy.values[2];
}
