// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// What gcc's <stdatomic.h> uses: the generic atomic operations of GNU C, which
// get values through pointers, fences and flags.
#include <stdio.h>

static int shared = 5;
static unsigned char small = 200;
static int values[3] = {7, 8, 9};
static int *pointer = values;

int main(void) {
  int seen, given = 11;
  __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
  printf("%d\n", seen);
  __atomic_store(&shared, &given, __ATOMIC_RELEASE);
  printf("%d %d\n", shared, given);
  given = 20;
  __atomic_exchange(&shared, &given, &seen, __ATOMIC_SEQ_CST);
  printf("%d %d %d\n", shared, given, seen);
  __atomic_exchange(&shared, &values[0], &values[1], __ATOMIC_SEQ_CST);
  printf("%d %d %d\n", shared, values[0], values[1]);

  int expected = 7;
  given = 30;
  int done = __atomic_compare_exchange(&shared, &expected, &given, 0,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  printf("%d %d %d\n", done, shared, expected);
  given = 40;
  done = __atomic_compare_exchange(&shared, &expected, &given, 1,
                                   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  printf("%d %d %d\n", done, shared, expected);

  unsigned char was, next = 3;
  __atomic_exchange(&small, &next, &was, __ATOMIC_SEQ_CST);
  printf("%d %d\n", small, was);
  int *before, *after = values + 2;
  __atomic_exchange(&pointer, &after, &before, __ATOMIC_SEQ_CST);
  printf("%d %d\n", *pointer, before == values);

  char flag = 0;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
  printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
  __atomic_signal_fence((seen++, __ATOMIC_RELAXED));
  __atomic_clear(&flag, __ATOMIC_RELEASE);
  printf("%d %d\n", flag, seen);
  return 0;
}
