// SPDX-License-Identifier: Apache-2.0
// Pointers that leave the array with which a record begins.
#include <string.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct s {
  int a[2];
  int b;
};
union u {
  struct s s;
  int w[3];
};

static void clear(void *at, int n) {
  int *word = at;
  for (int i = 0; i < n; i++) word[i] = 0;
}

int main(void) {
  struct s x = {{1, 2}, 3};
  int i = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= i && i < 3);
#if CASE == 1
  ((unsigned char *)&x)[4 * i] = 0;
#elif CASE == 2
  memset((char *)&x + 4 * i, 0, 4);
#elif CASE == 3
  memset(&x, 0, 4 * (unsigned long)(i + 1));
#elif CASE == 4
  clear(&x, 3);
#elif CASE == 5
  ((union u *)&x)->w[i] = 0;
#elif CASE == 6  // A pointer into the array itself stays there.
  int *p = x.a;
  p[i] = 0;
#elif CASE == 7
  if (*(int *)((char *)&x + 4 * i) != i + 1) x.b = 4;
#endif
  if (x.b != 3) reach_error();
  return 0;
}
