// SPDX-License-Identifier: Apache-2.0
// Assignments of structs as expressions, and structs chosen by conditions.
#include <stdio.h>

struct small {
  int a;
};
struct big {
  int a[20];
  char c;
};

static struct big table[3];

static struct big *at(int i) { return &table[i]; }
static struct big fill(int seed) {
  struct big b;
  for (int i = 0; i < 20; ++i) b.a[i] = seed + i;
  b.c = seed;
  return b;
}
static int total(struct big b) {
  int sum = b.c;
  for (int i = 0; i < 20; ++i) sum += b.a[i] * (i + 1);
  return sum;
}

int main(void) {
  struct small x, y, z = {7};
  x = y = z;
  y.a++;
  printf("%d %d %d\n", x.a, y.a, z.a);
  printf("%d\n", (x = y).a);
  table[0] = table[1] = fill(3);
  table[1].a[5] = 0;
  *at(2) = *at(1);
  at(0)->c = 100;
  printf("%d %d %d\n", total(table[0]), total(table[1]), total(*at(2)));
  for (int i = 0; i < 3; ++i) {
    struct big b = i == 1 ? fill(i) : i == 2 ? table[0] : *at(1);
    printf("%d\n", total(b));
  }
  struct big local = fill(9), *p = &local;
  *p = *p;
  table[2] = (table[1] = local, table[0]);
  printf("%d %d\n", total(table[1]), total(table[2]));
  return total((struct big){{1, 2, 3}, 4});
}
