// SPDX-License-Identifier: Apache-2.0
// unreach-call: true
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
int locked;
int main(void) {
  int rounds = 0;
  while (__VERIFIER_nondet_int()) {
    if (locked) reach_error();
    locked = 1;
    rounds = rounds < 7 ? rounds + 1 : 0;
    for (; rounds > 5;) {
      rounds--;
      if (!locked) reach_error();
    }
    locked = 0;
  }
  if (rounds > 7 || rounds < 0) reach_error();
  return 0;
}
