// SPDX-License-Identifier: Apache-2.0
// switch: fall-through, default anywhere, ranges, and nothing at all.
#include <stdio.h>

static int fall(int x) {
  int r = 0;
  switch (x) {
    case 1:
      r += 1;
    case 2:
      r += 10;
      break;
    default:
      r += 100;
    case 3:
      r += 1000;
    case 4:;
  }
  return r;
}
static int ranges(int x) {
  switch (x) {
    case -10 ... - 1:
      return 1;
    case 0:
      return 2;
    case 1 ... 9:
    case 20 ... 29:
      return 3;
    case 2147483647:
      return 4;
    case 100 ... 2147483646:
      return 5;
  }
  return 6;
}
static int nested(int a, int b) {
  switch (a) {
    case 0:
      switch (b) {
        case 0:
          return 1;
        case 1:
          break;
        default:
          return 2;
      }
      b += 10;
    case 1:
      b += 100;
      break;
    default:
      switch (b)
      case 5:
        return 3;
  }
  return b;
}

int main(void) {
  for (int i = 0; i < 6; ++i) printf("%d ", fall(i));
  printf("\n");
  static const int probes[] = {-11, -10, -1, 0, 1, 9, 10, 20, 29, 30,
                               99, 100, 2147483646, 2147483647, -2147483647};
  for (unsigned i = 0; i < sizeof probes / sizeof *probes; ++i)
    printf("%d ", ranges(probes[i]));
  printf("\n");
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 6; b += 1) printf("%d ", nested(a, b));
  printf("\n");
  int n = 0;
  switch (n) {}
  switch (n++)
  default:
    n += 5;
  switch (n) {
    int unreached = 4;
    case 6:
      unreached = 7;
      n += unreached;
  }
  switch (3) n = 0;
  return n;
}
