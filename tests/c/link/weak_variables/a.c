// SPDX-License-Identifier: Apache-2.0
// A weak variable gives way to an ordinary one, with or without a value.
#include <stdio.h>

__attribute__((weak)) int replaced = 1;
__attribute__((weak)) int kept = 2;
__attribute__((weak)) int common = 3;
int through(void);

int main(void) {
  printf("%d %d %d %d\n", replaced, kept, common, through());
  return 0;
}
