// SPDX-License-Identifier: Apache-2.0
// ENDS: exit 6
// A routine that does not return does not return through a pointer either.
#include <stdio.h>
#include <stdlib.h>

static void (*terminate)(int) = exit;

int main(void) {
  printf("before\n");
  terminate(6);
  printf("not reached\n");
  return 5;
}
