// SPDX-License-Identifier: Apache-2.0
// SEEDS: 1 2 3 4
// ENDS: assume
// An assumption that does not hold ends the run.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n < 16);
  for (int i = 0;; ++i) {
    printf("%d\n", i);
    __VERIFIER_assume(i + n != 20);
  }
}
