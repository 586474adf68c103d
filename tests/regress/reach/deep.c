/* SPDX-License-Identifier: Apache-2.0 */
/* Errors behind long loops: to go round them one by one takes too long. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void done(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int seen = 0;
  for (int i = 0; i < 1000000; ++i) {
    if (n > 0) seen = 1;
  }
  if (seen == 1) reach_error();
  return 0;
}

int twice(void) {
  int n = __VERIFIER_nondet_int();
  int seen = 0;
  for (int i = 0; i < 1000000; ++i) {
    if (n > 0) seen = 1;
  }
  done();
  if (seen == 1) done();
  return 0;
}

/* The loop is left when the input says so, and must not be left too early. */
int until_input(void) {
  int count = 0;
  while (1) {
    if (__VERIFIER_nondet_int() == 42) break;
    count++;
  }
  if (count > 5000) reach_error();
  return 0;
}

/* Which input goes on depends on the state. */
int alternates(void) {
  int is_odd = 0;
  for (int i = 0; i < 10000; ++i) {
    int n = __VERIFIER_nondet_int();
    if (is_odd) {
      if (n != 2) return 0;
      is_odd = 0;
    } else {
      if (n != 1) return 0;
      is_odd = 1;
    }
  }
  reach_error();
  return 0;
}

/* What a loop computed decides: a linear equation tells, whichever way was
   taken in each round. */
int sum(void) {
  int s = 0;
  for (int i = 0; i < 1000000; ++i) {
    if (i & 1) s += 2;
    else s += 3 - 1;
  }
  if (s == 2000000) reach_error();
  return 0;
}
