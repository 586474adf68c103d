// SPDX-License-Identifier: Apache-2.0
// Where allocated memory lies is an assumption, and the number is told.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(40);
  assert(((unsigned long)p >> 4) % 8 == 0);
}
