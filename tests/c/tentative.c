// SPDX-License-Identifier: Apache-2.0
// Tentative definitions, extern declarations in every place, and shadowing.
#include <stdio.h>

int x;
extern int x;
int x;
int array[];
extern int sized[3];
int *into = &sized[1];
static int later;
static int *to_later = &later;
static int later = 4;
struct s s;
struct s {
  int a, b;
} s;

static int read_array(void) {
  extern int array[4];
  return array[3];
}
static int shadow(int x) {
  int y = x;
  {
    int x = y + 1;
    y = x;
    {
      extern int x;
      x += y;
    }
    for (int x = 0; x < 3; ++x) y += x;
    y += x;
  }
  return y + x;
}
static int uses_static(void) {
  extern int later;
  return ++later;
}

int array[4] = {1, 2, 3, 40};
int sized[3] = {5, 6, 7};

int main(void) {
  printf("%d %d %d %d\n", x, read_array(), *into, *to_later);
  printf("%d ", shadow(10));
  printf("%d\n", x);
  printf("%d ", uses_static());
  printf("%d\n", *to_later);
  int (declared)(int), local = 2;
  printf("%d\n", declared(local));
  s.b = 3;
  typedef int s;
  s t = 5;
  struct s u = {t, 6};
  return u.b;
}

int declared(int n) { return n * 21; }
