// SPDX-License-Identifier: Apache-2.0
// Constants of floating point as truth values.
#include <stdio.h>

int main(void) {
  _Bool half = 0.5, none = 0.0;
  printf("%d %d\n", half, none);
  printf("%d %d\n", (_Bool)1e-300, (_Bool)-0.0);
  printf("%d %d\n", 0.25 ? 1 : 2, !0.0);
  printf("%d\n", 0.1 && 1);
  return 0;
}
