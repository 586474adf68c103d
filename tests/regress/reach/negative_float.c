// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

int main(void) {
  double c = -1.0;
  int n = (int)-2.5;
  assert(n == -2);
  return c == 0;
}
