// SPDX-License-Identifier: Apache-2.0
// Designated initialisers: order, ranges, nesting and overriding.
#include <stdio.h>

struct inner {
  int a, b;
  char c[4];
};
struct outer {
  struct inner one, two;
  int list[6];
  union {
    int i;
    unsigned char bytes[4];
  } u;
};

static int numbers[] = {[5] = 50, 60, [2] = 20, 30, [9] = 90};
static int ranges[20] = {[0 ... 4] = 1, [5 ... 9] = 2, [3 ... 6] = 3, 4};
static struct outer outer = {
    .two = {.b = 4, .c = "xy"},
    .one.a = 1,
    .one.c[2] = 'z',
    .list = {[4] = 44, 55, [0] = 10, 11},
    .u.bytes = {1, 2, [3] = 4},
};
static struct inner grid[2][3] = {
    [1][2] = {7, 8}, [0] = {{1, 2}, [2] = {.c = {'q'}}}, [1][0].b = 5};
static const char *names[] = {['c' - 'a'] = "c", ['a' - 'a'] = "a"};
static struct inner overridden = {.a = 1, .b = 2, .a = 3, 4};

int main(void) {
  printf("%d:", (int)(sizeof numbers / sizeof *numbers));
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    printf(" %d", numbers[i]);
  printf("\n");
  for (int i = 0; i < 20; ++i) printf("%d", ranges[i]);
  printf("\n%d %d %d %s %d\n", outer.one.a, outer.one.b, outer.two.b,
         outer.two.c, outer.one.c[2]);
  for (int i = 0; i < 6; ++i) printf("%d ", outer.list[i]);
  printf("%x\n", outer.u.i);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      printf("%d %d %d; ", grid[i][j].a, grid[i][j].b, grid[i][j].c[0]);
  printf("\n%s %s %d\n", names[0], names[2], names[1] == 0);
  printf("%d %d\n", overridden.a, overridden.b);
  int x = 5;
  struct outer local = {.list = {[1 ... 3] = x, x + 1}, .one = {.b = x * 2}};
  for (int i = 0; i < 6; ++i) printf("%d ", local.list[i]);
  printf("%d %d %d\n", local.one.a, local.one.b, local.u.i);
  int order[4] = {[2] = x, [0] = x + 1, x + 2};
  printf("%d %d %d %d\n", order[0], order[1], order[2], order[3]);
  struct inner old = {a : 3, c : "old"};
  printf("%d %d %s\n", old.a, old.b, old.c);
  int matrix[3][2] = {1, 2, {3}, 5, 6}, flat[] = {1, [4] = 2, 3};
  printf("%d %d %d %d\n", matrix[1][0], matrix[1][1], matrix[2][1],
         (int)sizeof flat);
  return flat[5];
}
