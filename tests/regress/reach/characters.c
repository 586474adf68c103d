// SPDX-License-Identifier: Apache-2.0
// What the C library says about characters decides what is reached.
#include <ctype.h>

extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
#if CASE == 1  // A digit has a value.
  if (isdigit((unsigned char)c) && (c < '0' || c > '9')) reach_error();
#elif CASE == 2  // Its classification need not be 1.
  if (isdigit('7') != 1) reach_error();
#elif CASE == 3
  if (isalpha((unsigned char)c) && toupper((unsigned char)c) == 'Q' &&
      c != 'Q')
    reach_error();
#elif CASE == 4  // Beyond ASCII the locale decides.
  if (isalpha(228)) reach_error();
#endif
  return 0;
}
