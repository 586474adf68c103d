// SPDX-License-Identifier: Apache-2.0
// An error behind as many rounds as an input says.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i, s = 1;
  for (i = 0; i < n; i++) s = s * s + i;
#ifdef SAFE
  if (i > n && n > 0) reach_error();
#else
  if (s == 77 || n > ROUNDS) reach_error();
#endif
  return 0;
}
