// SPDX-License-Identifier: Apache-2.0
// Loops with few rounds, which no simple predicate explains.
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void);

static int up_to(int most) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= most);
  return n;
}

void table(void) {
  static int a[3][4];
  int *p = &a[0][0], sum = 0;
  a[up_to(2)][up_to(3)] = 5;
  for (int i = 0; i < 12; i++) sum += p[i];
  if (sum != 5 WRONG) reach_error();
}

int main(void) {
  int n = up_to(4), i = 0, sum = 0;
  do {
    if (i == 2) continue;
    sum += i;
  } while (i++ < n);
  const int expected[] = {0, 1, 1, 4, 8};
  if (sum != expected[n]) reach_error();
  table();
}
