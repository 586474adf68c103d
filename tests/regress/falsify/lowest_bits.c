// SPDX-License-Identifier: Apache-2.0
// Even and odd decide, and neither signs nor intervals know them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int odd(void) {
  int n = __VERIFIER_nondet_int();
  int x = 2 * n + 1;
  if (x % 2 == 0) return 0;
  if ((x & 1) != 1) return 0;
  reach_error();
  return 0;
}

int even(void) {
  int n = __VERIFIER_nondet_int();
  unsigned product = (unsigned)n * 4 + 2;
  if (product % 4 == 2) return 0;
  reach_error();
  return 0;
}

// The remainder of a negative odd number is -1.
int negative(void) {
  int n = __VERIFIER_nondet_int();
  int x = 2 * n + 1;
  if (x % 2 == 1 || x % 2 == -1) return 0;
  reach_error();
  return 0;
}
