// SPDX-License-Identifier: Apache-2.0
// A weak function gives way to an ordinary one.
#include <stdio.h>

__attribute__((weak)) int replaced(void) { return 1; }
__attribute__((weak)) int kept(void) { return 2; }
int through(void);

int main(void) {
  printf("%d %d %d\n", replaced(), kept(), through());
  return 0;
}
