// SPDX-License-Identifier: Apache-2.0
// Objects without a size may lie at one place, as gcc lays them out.
#include <assert.h>

struct nothing {};
struct something {
  int i;
};

int main(void) {
#if CASE == 1
  struct nothing a, b, *p = &a, *q = &b;
#elif CASE == 2
  int p[0], q[0];
#else
  struct something a, b, *p = &a, *q = &b;
#endif
  assert(p != q);
}
