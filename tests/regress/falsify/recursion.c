// SPDX-License-Identifier: Apache-2.0
// Recursion is followed to a depth; what is deeper is an escape.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }

int shallow(void) {
  if (depth(5) == 5) reach_error();
  return 0;
}

int right(void) {
  if (depth(5) != 5) reach_error();
  return 0;
}

static int forever(int n) { return forever(n + 1); }

int never(void) {
  forever(0);
  reach_error();
  return 0;
}
