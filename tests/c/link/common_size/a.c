// SPDX-License-Identifier: Apache-2.0
// Common symbols of different sizes take the largest.
#include <stdio.h>

char buffer[4];
int guard_one = 1;
void fill(void);

int main(void) {
  fill();
  for (int i = 0; i < 4; ++i) printf("%d ", buffer[i]);
  printf("%d\n", guard_one);
  return 0;
}
