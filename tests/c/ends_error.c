// SPDX-License-Identifier: Apache-2.0
// ENDS: abort
// SEEDS: 1 2 3
// reach_error and a verifier's own assert.
#include <stdio.h>

extern void abort(void);
void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void __VERIFIER_assert(int holds) {
  if (!holds) {
  ERROR: {
    reach_error();
    abort();
  }
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  while (x < 100) {
    __VERIFIER_assert(x < 90);
    printf("%d\n", x);
    x += 1 + __VERIFIER_nondet_int() / 8;
  }
  return 0;
}
