// SPDX-License-Identifier: Apache-2.0
// What is written is no table.
int __VERIFIER_nondet_int(void);
void reach_error(void);

static int a[3] = {1, 2, 3};

int main(void) {
  int i = __VERIFIER_nondet_int() & 1;
  while (__VERIFIER_nondet_int()) a[i] = 7;
  if (a[1] == 7) reach_error();
}
