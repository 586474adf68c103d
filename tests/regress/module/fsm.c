// SPDX-License-Identifier: Apache-2.0
// A machine that goes on when the clock does.
#include <assert.h>
struct fsm {
  int s;
  int n;
};
static struct fsm m = {0, 0};
extern int clock_now(void);
static int last;
void tick(void) {
  int t = clock_now();
  if (t < last) return;
  last = t;
  switch (m.s) {
    case 0:
      m.s = 1;
      m.n = 0;
      break;
    case 1:
      if (++m.n >= 3) m.s = 2;
      break;
    case 2:
      m.s = 0;
      break;
    default:
      assert(0);
  }
}
int state(void) {
  assert(m.n <= 3);
  assert(m.s != 2 || m.n == 3);
  return m.s;
}
