// SPDX-License-Identifier: Apache-2.0
// SEEDS: 1 2 3 4 5 6 7 8
// A lock driver in CIL's style, with inputs.
extern int __VERIFIER_nondet_int(void);
extern int printf(char const *__restrict, ...);
void reach_error(void);
int lock = 0;
int main(void) {
  int request;
  int tmp;
  int old;
  int new;
  int __cil_tmp5;
  {
    new = 0;
    old = 0;
    {
      while (1) {
      while_0_continue: /* CIL Label */;
        if (lock != 0) {
          goto ERROR;
        } else {
        }
        lock = 1;
        old = new;
        {
          tmp = __VERIFIER_nondet_int();
          request = tmp;
        }
        printf("request %d\n", request);
        if (request % 3) {
          lock = 0;
          new = new + 1;
        } else {
        }
        {
          __cil_tmp5 = new == old;
          if (!(!__cil_tmp5)) {
            goto while_0_break;
          }
        }
      }
    while_0_break: /* CIL Label */;
    }
    printf("%d %d\n", new, lock);
    return (lock == 1 ? 0 : 1);
  ERROR: {
    reach_error();
  }
  }
}
