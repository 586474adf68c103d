// SPDX-License-Identifier: Apache-2.0
// Static locals keep their value, one for each declaration.
#include <stdio.h>

static int counter(void) {
  static int n;
  return ++n;
}
static int other(int reset) {
  static int n = 100;
  if (reset) {
    static int n = 7;
    return n++;
  }
  return n--;
}
static int *slot(int i) {
  static int values[3] = {1, 2, 3};
  static int *last = values;
  *last += 10;
  last = &values[i];
  return last;
}
static int fib(int n) {
  static int calls;
  ++calls;
  if (n < 2) return n == 0 ? calls : 1;
  int first = fib(n - 1);
  return first + fib(n - 2);
}
static const char *digits(unsigned n) {
  static char buffer[12];
  char *p = buffer + sizeof buffer;
  *--p = 0;
  do *--p = '0' + n % 10;
  while (n /= 10);
  return p;
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    printf("%d ", counter());
    printf("%d ", other(i & 1));
    printf("%d\n", other(1));
  }
  for (int i = 0; i < 3; ++i) printf("%d ", *slot(i));
  printf("%d\n", *slot(0));
  printf("%d\n", fib(6));
  printf("%s ", digits(0));
  printf("%s\n", digits(4294967295u));
  static struct {
    int a;
    char b[4];
  } s = {5, "ab"};
  s.a += s.b[1];
  {
    static int counter = 40;
    counter += s.a;
    printf("%d\n", counter);
  }
  return counter();
}
