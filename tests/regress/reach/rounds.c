// SPDX-License-Identifier: Apache-2.0
// What holds after the loop follows from a relation that each round keeps.
void reach_error(void);
int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int sum = 0;
  int i;
  if (n < 0 || n > 1000) return 0;
  for (i = 0; i < n; i++) sum += STEP;
  if (sum != 2 * n) reach_error();
  return 0;
}
