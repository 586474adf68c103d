// SPDX-License-Identifier: Apache-2.0
// A machine that must have been armed when it fires.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int state = 0;
  int armed = 0;
  for (;;) {
    switch (state) {
      case 0:
        if (__VERIFIER_nondet_int() > 3) state = 1;
        break;
      case 1:
        armed = 1;
        state = __VERIFIER_nondet_int() != 0 ? 2 : FORGETS;
        break;
      case 2:
        if (!armed) reach_error();
        armed = 0;
        state = 0;
        break;
      default:
        armed = 0;
        state = 2;
    }
  }
}
