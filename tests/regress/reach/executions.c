// SPDX-License-Identifier: Apache-2.0
// Any execution shows it, but none that is short: no path and no predicate is
// of use, and abstract domains do not know what is in the array.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int table[30000];

int main(void) {
  for (int i = 0; i < 30000; i++) table[i] = i ^ 5;
  int last = 0;
  for (int i = 0; i < 30000; i++) last ^= table[i];
  if (table[29999] == (29999 ^ 5)) reach_error();
  return last;
}

// The same with inputs that do not matter.
int told(void) {
  int filled[3000], sum = 0;
  for (int i = 0; i < 3000; i++) filled[i] = __VERIFIER_nondet_int() & 7;
  for (int i = 0; i < 3000; i++) sum += filled[i] + 1;
  if (sum >= 3000) reach_error();
  return 0;
}

// No execution shows anything.
int guarded(void) {
  int rounds = __VERIFIER_nondet_int(), odd = 0;
  for (int i = 0; i < rounds; i++) odd = !odd;
  if (odd != 0 && odd != 1) reach_error();
  return odd;
}
