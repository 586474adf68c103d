// SPDX-License-Identifier: Apache-2.0
// ENDS: exit 42
// exit from a nested call.
#include <stdio.h>
#include <stdlib.h>

static void deep(int n) {
  if (n == 0) exit(298);
  printf("%d\n", n);
  deep(n - 1);
  printf("not reached\n");
}

int main(void) {
  deep(4);
  return 1;
}
