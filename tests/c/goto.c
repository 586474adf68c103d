// SPDX-License-Identifier: Apache-2.0
// goto forwards, backwards, into and out of blocks and loops.
#include <stdio.h>

static int collatz(int n) {
  int steps = 0;
again:
  if (n == 1) goto done;
  ++steps;
  if (n & 1) goto odd;
  n /= 2;
  goto again;
odd:
  n = 3 * n + 1;
  goto again;
done:
  return steps;
}
static int out_of_loops(int wanted) {
  int i, j;
  for (i = 0; i < 10; ++i)
    for (j = 0; j < 10; ++j)
      if (i * j == wanted) goto found;
  return -1;
found:
  return i * 100 + j;
}
static int into_block(int skip) {
  int r = 1;
  if (skip) goto inside;
  r += 10;
  {
    int x;
    x = 100;
    r += x;
  inside:
    x = 1000;
    r += x;
  }
  return r;
}
static int into_loop(int n) {
  int i = n, sum = 0;
  if (n > 2) goto middle;
  for (i = 0; i < 5; ++i) {
    sum += 10;
  middle:
    sum += i;
  }
  return sum;
}
static int resources(int fail) {
  int state = 0;
  state |= 1;
  if (fail == 1) goto undo_one;
  state |= 2;
  if (fail == 2) goto undo_two;
  state |= 4;
  return state;
undo_two:
  state &= ~2;
undo_one:
  state &= ~1;
  return state - 100;
}
static int local_labels(int n) {
  int r = 0;
  {
    __label__ end;
    if (n > 1) goto end;
    r = 5;
  end:
    r += 1;
  }
  {
    __label__ end;
    if (n > 2) goto end;
    r += 50;
  end:;
  }
  return r;
}

int main(void) {
  printf("%d %d\n", collatz(27), collatz(1));
  printf("%d %d\n", out_of_loops(42), out_of_loops(97));
  printf("%d %d\n", into_block(0), into_block(1));
  printf("%d %d\n", into_loop(3), into_loop(0));
  printf("%d %d %d\n", resources(0), resources(1), resources(2));
  printf("%d %d %d\n", local_labels(1), local_labels(2), local_labels(3));
  goto last;
unreached:
  printf("not reached\n");
last:
  return 9;
}
