// SPDX-License-Identifier: Apache-2.0
// A target that calls itself and uses the C library: it always returns 0.
#include <string.h>

int depth(int n) {
  if (n <= 0) return 0;
  if (strlen("ab") != 2) return 7;
  if (n > 2) n = 2;
  if (depth(n - 1) == 1) return 5;
  return 0;
}
