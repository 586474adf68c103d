// SPDX-License-Identifier: Apache-2.0
// unreach-call: true
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  if (n < 0) return 0;
  while (i < n) {
    i++;
  }
  if (i != n) reach_error();
  return 0;
}
