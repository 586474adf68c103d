// SPDX-License-Identifier: Apache-2.0
// A pointer to one of several objects: writes through it change that one only.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
  int a = 1, b = 2, c[2] = {3, 4};
  int *p = &a;
  if (__VERIFIER_nondet_int()) p = &b;
  if (__VERIFIER_nondet_int()) p = &c[1];
  int before = *p;
  *p = 10;
  assert(a + b + c[0] + c[1] == 20 - before OFF);
  assert(c[0] == 3);
}
