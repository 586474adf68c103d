// SPDX-License-Identifier: Apache-2.0
// The other built-in functions that real code uses.
#include <stdio.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect((x), 0)

struct s {
  char c;
  struct {
    short h[4];
    int i;
  } in[2];
};

static int trace;
static int note(int x) {
  trace = trace * 10 + x;
  return x;
}
static int must_be_positive(int x) {
  if (x > 0) return x;
  __builtin_unreachable();
}

int main(void) {
  if (likely(note(1))) printf("likely\n");
  if (unlikely(note(0) || note(2))) printf("unlikely\n");
  printf("%d\n", trace);
  printf("%ld\n", __builtin_expect(trace + 5L, 1L));
  printf("%d %d\n", __builtin_constant_p(3), __builtin_constant_p(trace));
  printf("%d\n", __builtin_constant_p(note(3)));
  printf("%d\n", trace);
  printf("%d %d\n", (int)__builtin_offsetof(struct s, in[1].i),
         (int)__builtin_offsetof(struct s, in[0].h[2]));
  printf("%d %d %d\n", __builtin_types_compatible_p(int, signed),
         __builtin_types_compatible_p(char, signed char),
         __builtin_types_compatible_p(int[], int[5]));
  int x = 7;
  long long y = 8;
  printf("%d %d\n", __builtin_choose_expr(1, x, y),
         (int)sizeof(__builtin_choose_expr(0, x, y)));
  __builtin_choose_expr(1, x, y) = 9;
  printf("%d\n", x);
  printf("%d %ld\n", __builtin_abs(-5), __builtin_labs(-6L));
  __builtin_prefetch(&x, 0, 1);
  printf("%d\n", must_be_positive(4));
  char *p = __builtin_alloca(8);
  p[7] = 3;
  printf("%d\n", p[7]);
  printf("%d\n", (int)__builtin_strlen("four"));
  if (x == 10) __builtin_trap();
  return *(int *)__builtin_assume_aligned(&x, 4);
}
