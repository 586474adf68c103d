// SPDX-License-Identifier: Apache-2.0
// Bubble sort of four numbers; with LAST=2 it stops too early.
#include <assert.h>
#ifndef LAST
#define LAST 3
#endif
int __VERIFIER_nondet_int(void);

static int a[4];

static void sort(void) {
  for (int i = 0; i < LAST; i++) {
    for (int j = 0; j < 3 - i; j++) {
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
    }
  }
}

int main(void) {
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  sort();
  for (int i = 1; i < 4; i++) assert(a[i - 1] <= a[i]);
}
