// SPDX-License-Identifier: Apache-2.0
// switch on 128 bits: labels that differ only in their high half.
#include <stdio.h>

static int which(__int128 x) {
  switch (x) {
    case 0:
      return 1;
    case (__int128)1 << 64:
      return 2;
    case -((__int128)1 << 100):
      return 3;
    case -1:
      return 4;
  }
  return 5;
}

int main(void) {
  printf("%d %d %d %d %d\n", which(0), which((__int128)1 << 64),
         which(-((__int128)1 << 100)), which(-1), which((__int128)1 << 65));
  return 0;
}
