// SPDX-License-Identifier: Apache-2.0
// && and || evaluate the right side only if they must, and give 0 or 1.
#include <stdio.h>

static int trace;
static int yes(int n) {
  trace = trace * 10 + n;
  return n;
}
static int no(int n) {
  trace = trace * 10 + n;
  return 0;
}

static void show(int value) {
  printf("%d %d\n", value, trace);
  trace = 0;
}

int main(void) {
  show(yes(1) && yes(2));
  show(yes(1) && no(2));
  show(no(1) && yes(2));
  show(yes(1) || yes(2));
  show(no(1) || yes(2));
  show(no(1) || no(2));
  show((yes(1) && no(2)) || yes(3));
  show(no(1) && (no(2) || yes(3)));
  show(!(yes(1) && yes(2)) || no(3));
  show(!no(1) && !no(2) && !!yes(3));
  int sum = yes(1) || no(2);
  sum += no(3) || yes(4);
  show(sum);
  int x = 5, *p = 0;
  show(p && *p);
  show(!p || *p);
  show(x && x++ && --x && x);
  show(x > 3 && x < 10 || x == 77);
  if (yes(1) && (no(2) || yes(3))) show(100);
  if (!(no(1) || no(2))) show(200);
  while (x-- > 0 && yes(x)) continue;
  show(x);
  do {
    trace += 2;
  } while (trace < 9 && !(trace == 6 || no(1)));
  show(trace);
  int value = (x = 0) || (x = 3);
  show(value * 10 + x);
  show((x == 3 && yes(5)) == (2 > 1));
  long long wide = 1LL << 40;
  show(wide && 1);
  return (wide || 0) + 2;
}
