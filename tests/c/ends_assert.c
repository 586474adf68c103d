// SPDX-License-Identifier: Apache-2.0
// ENDS: abort
// A failed assertion ends the run, a good one does not.
#include <assert.h>
#include <stdio.h>

static int checked(int x) {
  assert(x != 3 && "x is not three");
  return x;
}

int main(void) {
  for (int i = 0; i < 10; ++i) printf("%d\n", checked(i));
  return 0;
}
