// SPDX-License-Identifier: Apache-2.0
// Inline functions of all kinds in one file.
#include <stdio.h>

static inline int plain(int x) { return x + 1; }
inline int external(int x) { return x + 2; }
extern inline int external(int x);
extern __inline __attribute__((gnu_inline, always_inline)) int gnu(int x) {
  return x + 3;
}
static __inline__ int counting(void) {
  static int n = 10;
  return n++;
}

int main(void) {
  int (*f)(int) = plain;
  printf("%d %d %d %d\n", plain(1), external(1), gnu(1), f(5));
  printf("%d ", counting());
  printf("%d\n", counting());
  f = external;
  return f(0);
}
