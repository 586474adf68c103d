// SPDX-License-Identifier: Apache-2.0
// Pointers that arithmetic on integers takes apart and puts together again.
#include <assert.h>
#include <stdint.h>

int x = 1, y = 2;
uintptr_t large = UINTPTR_MAX - 14;

int main(void) {
#if CASE == 1  // A quotient with a sign.
  intptr_t number = (intptr_t)&x / 4;
  *(int *)(number * 4) = 5;
  assert(x != 5);
#elif CASE == 2  // A remainder.
  uintptr_t number = (uintptr_t)&x % large;
  *(int *)number = 5;
  assert(x != 5);
#elif CASE == 3  // A sum of two, from which one is taken away.
  uintptr_t both = (uintptr_t)&x + (uintptr_t)&y;
  *(int *)(both - (uintptr_t)&y) = 5;
  assert(x != 5);
#elif CASE == 4  // A distance from a number.
  uintptr_t number = 7 - (uintptr_t)&x;
  *(int *)(7 - number) = 5;
  assert(x != 5);
#elif CASE == 5  // The distance in an array is no pointer into it.
  int several[4] = {0}, *at = &several[2];
  uintptr_t number = (uintptr_t)at - (uintptr_t)&several[0];
  *(int *)((uintptr_t)&x + number - 2 * sizeof x) = 5;
  assert(several[0] == 0 && several[2] == 0 && x == 5);
#else            // What was compared leads nowhere, and that is listed.
  uintptr_t number = 0;
  for (int i = 0; i < 64; i++)
    if ((uintptr_t)&x >> i & 1) number |= (uintptr_t)1 << i;
  *(int *)number = 5;
  assert(x != 5);
#endif
}
