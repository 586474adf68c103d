// SPDX-License-Identifier: Apache-2.0
// Side effects in the lengths of array parameters happen at the call.
#include <stdio.h>

static int sub(int i, int array[i++], int n, int more[][n += 2]) {
  return i * 100 + n;
}

int main(void) {
  int array[10], more[2][5];
  printf("%d\n", sub(10, array, 3, more));
  return 0;
}
