// SPDX-License-Identifier: Apache-2.0
// Whether the assertion holds depends on which operand is evaluated first.
#include <assert.h>

static int n;

static int next(void) { return ++n; }
static int now(void) { return n; }

int main(void) {
#ifdef SEQUENCED
  int a = next();
  int b = now();
  assert(a - b == 0);
#else
  assert(next() - now() == 0);
#endif
  return 0;
}
