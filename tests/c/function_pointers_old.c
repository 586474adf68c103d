// SPDX-License-Identifier: Apache-2.0
// Calls through pointers without a prototype, and K&R definitions.
#include <stdio.h>

static int old(c, s, i) char c;
short s;
int i;
{ return c * 10000 + s * 10 + i; }

static void nothing() { printf("nothing\n"); }

static long widen(n) unsigned char n;
{ return n + 1L; }

static int both(a, b) int *a, b;
{ return *a += b; }

struct driver {
  int (*open)();
  void (*close)();
};

static struct driver driver = {old, nothing};

int main() {
  int (*f)() = old;
  printf("%d %d\n", old(300, 70000, 5), f(300, 70000, 5));
  printf("%d\n", driver.open('\001', (short)2, 3));
  driver.close();
  (*driver.close)();
  printf("%ld\n", widen(511));
  int x = 4;
  printf("%d ", both(&x, 3));
  printf("%d\n", x);
  return x;
}
