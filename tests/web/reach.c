// SPDX-License-Identifier: Apache-2.0
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int x = 0;
  for (int i = 0; i < 3; ++i) {
    int y = __VERIFIER_nondet_int();
    if (y > x) x = y;
  }
  if (x == 7) reach_error();
  return 0;
}
