// SPDX-License-Identifier: Apache-2.0
// ENDS: abort
// abort in the middle of an expression.
#include <stdio.h>
#include <stdlib.h>

static int give_up(void) {
  printf("giving up\n");
  abort();
}

int main(void) {
  int x = 0;
  printf("start\n");
  x = x == 0 ? give_up() : 2;
  printf("not reached\n");
  return x;
}
