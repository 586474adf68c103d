// SPDX-License-Identifier: Apache-2.0
// A loop that counts and is left early, with what it counted used behind it.
#include <assert.h>
int __VERIFIER_nondet_int(void);

static int find(const int *table, int size, int key) {
  int i;
  for (i = 0; i < size; i++) {
    if (table[i] == key) break;
  }
  return i;
}

int main(void) {
  int table[5];
  for (int i = 0; i < 5; i++) table[i] = __VERIFIER_nondet_int();
  int key = __VERIFIER_nondet_int();
  int at = find(table, 5, key);
  assert(at >= 0 && at <= 5 LESS);
  if (at < 5) assert(table[at] == key);
  for (int i = 0; i < at; i++) assert(table[i] != key);
}
