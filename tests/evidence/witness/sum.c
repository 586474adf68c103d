// SPDX-License-Identifier: Apache-2.0
// unreach-call: false
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern long __VERIFIER_nondet_long(void);
void reach_error(void) { assert(0); }
static int twice(int n) { return n + __VERIFIER_nondet_uchar(); }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    if (__VERIFIER_nondet_bool()) sum = twice(sum);
  }
  if (sum == 300 && __VERIFIER_nondet_long() < -5000000000L) {
    reach_error();
  }
  return 0;
}
