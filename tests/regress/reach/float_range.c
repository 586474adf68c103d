// SPDX-License-Identifier: Apache-2.0
// An integer that cannot hold a number of floating point is anything, since
// compilers differ; not where both compute it when they compile.
#include <assert.h>

static int nearest = 3e9;

void too_large(void) { assert((int)3e9 > 0); }
void negative(void) {
  unsigned char c = -1.0f;
  assert(c == 0);
}
void fits(void) { assert((int)-2.9 == -2 && (unsigned char)255.9 == 255); }
void initialised(void) { assert(nearest == 2147483647); }
int main(void) {
  initialised();
  return 0;
}
