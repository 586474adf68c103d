// SPDX-License-Identifier: Apache-2.0
// Routines of <math.h> are floating-point arithmetic.
#include <math.h>

extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern int __isinff(float);
int seen;

int main(void) {
  double x = __VERIFIER_nondet_double();
#if CASE == 1  // Nobody knows.
  if (sqrt(4.0) != 2.0) reach_error();
#elif CASE == 2
  if (isnan(x) && x == x) reach_error();
#elif CASE == 3
  if (__isinff(1.0f)) reach_error();
#elif CASE == 4  // They change nothing.
  seen = 1;
  x = floor(x) + pow(x, 2) + fabs(x) + isfinite(x);
  if (seen != 1) reach_error();
#elif CASE == 5  // What does not depend on them is certain.
  x = cos(x);
  if (__VERIFIER_nondet_int() == 3) reach_error();
#endif
  return 0;
}
