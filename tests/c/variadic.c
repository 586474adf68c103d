// SPDX-License-Identifier: Apache-2.0
// Variadic calls and definitions; the variable arguments do not matter.
#include <stdarg.h>
#include <stdio.h>

static int calls;
static int ignore(int first, ...) {
  va_list list;
  va_start(list, first);
  va_end(list);
  ++calls;
  return first;
}
static int count(const char *format, ...) {
  int n = 0;
  while (*format) n += *format++ == '%';
  return n;
}
static void log_all(const char *what, ...) { printf("log %s\n", what); }

struct s {
  int a, b;
};

int main(void) {
  printf("%d %s %c %u %x %ld %lld %%\n", -1, "text", 'c', 2u, 255, -3L, 4LL);
  char c = -1;
  short h = -2;
  unsigned char u = 255;
  printf("%d %d %d\n", c, h, u);
  struct s s = {1, 2};
  printf("%d\n", ignore(5));
  printf("%d\n", ignore(6, 1, "two", 3LL, &calls));
  printf("%d\n", ignore(7, s, c, h));
  printf("%d\n", count("%d %s", 1, ""));
  int (*f)(int, ...) = ignore;
  printf("%d %d\n", f(8, 9, 10), f(9));
  log_all("x", 1, 2, 3);
  puts("done");
  putchar('!');
  putchar(10);
  return calls;
}
