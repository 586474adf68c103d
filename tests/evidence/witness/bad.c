// SPDX-License-Identifier: Apache-2.0
// unreach-call: false
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int ( );
  if (x > 40) {
    if (x + y == 50) reach_error();
  }
  return 0;
}
