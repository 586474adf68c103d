// SPDX-License-Identifier: Apache-2.0
// A ring buffer that knows how full it is.
#include <assert.h>
#define N 8
static int buf[N];
static unsigned head, tail, count;
int put(int x) {
#ifndef BUG
  if (count == N) return -1;
#endif
  assert(head < N);
  buf[head] = x;
  head = (head + 1) % N;
  count++;
  assert((tail + count) % N == head);
  return 0;
}
int get(int *out) {
  if (count == 0) return -1;
  assert(tail < N);
  *out = buf[tail];
  tail = (tail + 1) % N;
  count--;
  assert((tail + count) % N == head);
  return 0;
}
int size(void) {
  assert(count <= N);
  return count;
}
