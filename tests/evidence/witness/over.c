// SPDX-License-Identifier: Apache-2.0
// no-overflow: false
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 1000) return 0;
  return x + 2147483000;
}
