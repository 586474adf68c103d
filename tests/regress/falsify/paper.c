// SPDX-License-Identifier: Apache-2.0
// Fig. 1 of FALS: the value at the error, or the way there, is not known.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int left(void) {
  int x = 0;
  x = x + 1;
  x = x - 1;
  if (x >= 0) reach_error();
  return 0;
}

int right(int n) {
  int y;
  if (n <= 0) return 0;
  if (n - 1 < 7)
    y = 1;
  else
    y = 2;
  if (y > 0) reach_error();
  return 0;
}
