// SPDX-License-Identifier: Apache-2.0
// _Generic, _Static_assert, _Alignas and _Noreturn.
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int has 32 bits");

#define name(x)                                                             \
  _Generic((x), char: "char", signed char: "signed char", int: "int",       \
      unsigned: "unsigned", long: "long", char *: "char *",                 \
      const char *: "const char *", struct s: "struct s", default: "other")
#define absolute(x) _Generic((x), int: abs_int, long: abs_long)(x)

struct s {
  int x;
  _Static_assert(1 + 1 == 2, "inside a struct");
};
static int abs_int(int x) { return x < 0 ? -x : x; }
static long abs_long(long x) { return x < 0 ? -x : x; }

int main(void) {
  char c = 0;
  struct s s = {3};
  printf("%s %s %s %s\n", name(c), name(c + 1), name(1u), name(1L));
  printf("%s %s %s %s\n", name("x"), name((const char *)0), name(s), name(1.0));
  printf("%d %ld\n", absolute(-5), absolute(-6L));
  int evaluated = 0;
  printf("%d %d\n", _Generic(evaluated++, int: 4, default: 5), evaluated);
  _Generic(s, struct s: s, default: c).x = 9;
  printf("%d\n", s.x);
  _Alignas(64) char buffer[3] = "ab";
  printf("%d %s\n", (int)((unsigned long)buffer % 64), buffer);
  _Static_assert(_Alignof(long long) >= 4, "in a block");
  struct s t = _Generic(0, int: s, default: (struct s){0});
  return t.x;
}
