// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Unsigned arithmetic wraps, and so does signed, as with -fwrapv.
#include <limits.h>
#include <stdio.h>

static int plus(int a, int b) { return a + b; }
static int times(int a, int b) { return a * b; }
static int minus(int a) { return -a; }
static long long plus64(long long a, long long b) { return a + b; }

int main(void) {
  printf("%d %d\n", plus(INT_MAX, 1), plus(INT_MIN, -1));
  printf("%d %d %d\n", times(65536, 65536), times(46341, 46341),
         times(INT_MIN, -1));
  printf("%d\n", minus(INT_MIN));
  printf("%lld\n", plus64(LLONG_MAX, LLONG_MAX));
  unsigned u = 0;
  u -= 1;
  printf("%u %u %u\n", u, u * u, u + 2);
  int i = INT_MAX;
  i++;
  printf("%d\n", i);
  i--;
  printf("%d\n", i);
  int down = INT_MIN;
  --down;
  printf("%d\n", down);
  int grows = 1, steps = 0;
  while (grows > 0) {
    grows *= 3;
    ++steps;
  }
  printf("%d %d\n", grows, steps);
  short h = SHRT_MAX;
  h += 1;
  printf("%d\n", h);
  h = SHRT_MAX;
  printf("%d\n", h + 1);
  printf("%d\n", (INT_MAX + u) == INT_MAX - 1);
  return (unsigned char)(u + 6);
}
