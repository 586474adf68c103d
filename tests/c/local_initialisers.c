// SPDX-License-Identifier: Apache-2.0
// Initialisers of locals: computed, partial, nested and repeated.
#include <stdio.h>

struct in {
  int a, b;
};
struct s {
  int *p;
  struct in in;
  struct in list[3];
  char text[6];
};

static int next(void) {
  static int n;
  return ++n;
}

static int round_trip(int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) {
    int fresh[4] = {i, [2] = i * 2};
    struct s s = {.in.b = i, .list[1] = {i + 1, i + 2}};
    struct s t = {.p = &s.list[1].a, .in = s.in, .text = "t"};
    fresh[1] += *t.p;
    fresh[3] += 5;
    s.list[0].a++;
    total = total * 3 + fresh[0] + fresh[1] + fresh[2] + fresh[3] +
            s.list[0].a + t.in.b + t.text[1];
  }
  return total;
}

int main(void) {
  printf("%d\n", round_trip(6));
  int a = next(), b = a + next(), c[3] = {a, b, a + b};
  printf("%d %d %d\n", a, b, c[2]);
  struct in x = {a, b}, y = x, z[2] = {x, {y.b, y.a}};
  printf("%d %d\n", z[0].b, z[1].b);
  struct s s = {c, x, {y, {7}}, {'a', 'b', a + 'a'}};
  printf("%d %d %d %s\n", s.p[1], s.list[1].a, s.list[2].b, s.text);
  struct s t = {.list = {[0 ... 1] = {3, 4}, [1].b = 5}};
  printf("%d %d %d\n", t.list[0].b, t.list[1].a, t.list[1].b);
  int scalar = {5}, *p = {&scalar};
  char one[] = {'x'}, grid[2][3] = {{'a'}, "bc"};
  printf("%d %d %d %c\n", *p, (int)sizeof one, grid[0][1], grid[1][1]);
  int big[50] = {1, 2, 3}, sum = 0;
  for (int i = 0; i < 50; ++i) sum += big[i];
  struct {
    int n;
    struct in *in;
  } q = {2, (struct in[]){{1, 2}, {3, 4}}};
  printf("%d %d\n", sum, q.in[1].a);
  union {
    struct in in;
    char c[8];
  } u = {.in = {.b = 0x41424344}};
  printf("%c\n", u.c[4]);
  return next();
}
