/* SPDX-License-Identifier: Apache-2.0 */
/* A question that keeps a solver busy: which factors does this number have? */
extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void) {
  unsigned long long x = __VERIFIER_nondet_ulonglong();
  unsigned long long y = __VERIFIER_nondet_ulonglong();
  if (x > 1 && y > 1 && x <= 0xffffffff && y <= 0xffffffff && x * y == 5455917148966689851ull) {
    reach_error();
  }
}
