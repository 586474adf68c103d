// SPDX-License-Identifier: Apache-2.0
// Errors behind more rounds than anybody would follow one by one.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

void counts(void) {
  int i = 0;
  while (i < 2147483647) i++;
  if (i == 2147483647) reach_error();
}

void counts_to_an_input(void) {
  unsigned n = __VERIFIER_nondet_uint(), i;
  for (i = 0; i < n; i++) continue;
  if (i > 300000000u) reach_error();
}

void adds_up(void) {
  long s = 0;
  for (int i = 0; i < 100000000; i++) s += i;
  if (s == 4999999950000000) reach_error();
}

void a_loop_in_a_loop(void) {
  unsigned s = 0;
  for (unsigned i = 0; i < 300; i++)
    for (unsigned j = 0; j < 1000000; j++) s++;
  if (s == 300000000) reach_error();
}

void does_not(void) {
  unsigned i = 0;
  while (i < 4000000000u) i += 3;
  if (i == 4000000001u) reach_error();
}
