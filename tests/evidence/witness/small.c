// SPDX-License-Identifier: Apache-2.0
// no-overflow: true
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int x = __VERIFIER_nondet_uchar();
  int i = 0;
  while (i < 10) {
    x = x / 2 + 1;
    i = i + 1;
  }
  return x;
}
