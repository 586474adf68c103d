// SPDX-License-Identifier: Apache-2.0
// The subject of a switch may have any integer type.
#include <stdio.h>

enum e { X = -3, Y, Z = 40 };

static int on_char(char c) {
  switch (c) {
    case 'a' ... 'f':
      return c - 'a' + 10;
    case '0' ... '9':
      return c - '0';
    case '\xff':
      return -1;
    case '\n':
      return -2;
  }
  return -3;
}
static int on_unsigned(unsigned u) {
  switch (u) {
    case 0xffffffff:
      return 1;
    case -2:
      return 2;
    case 0x80000000 ... 0x80000010:
      return 3;
    case 0:
      return 4;
    default:
      return 5;
  }
}
static int on_long(long long l) {
  switch (l) {
    case 1LL << 40:
      return 1;
    case -(1LL << 40):
      return 2;
    case -5 ... 5:
      return 3;
    case 0x7fffffffffffffffLL:
      return 4;
  }
  return 0;
}
static int on_ulong(unsigned long long l) {
  switch (l) {
    case 0xffffffffffffffffULL:
      return 1;
    case 1ULL << 63 ... (1ULL << 63) + 9:
      return 2;
  }
  return 0;
}
static int on_enum(enum e e) {
  switch (e) {
    case X:
      return 1;
    case Y:
      return 2;
    case Z:
      return 3;
  }
  return 0;
}
static int on_bool(_Bool b) {
  switch (b) {
    case 0:
      return 5;
    case 1:
      return 6;
  }
  return 7;
}
static int on_short(unsigned char c, short s) {
  switch (c - s) {
    case -1:
      return 1;
    case 255:
      return 2;
    case 255 + 32768:
      return 3;
  }
  return 0;
}

int main(void) {
  printf("%d %d %d %d %d\n", on_char('e'), on_char('7'), on_char(255),
         on_char('\n'), on_char('z'));
  printf("%d %d %d %d %d\n", on_unsigned(-1), on_unsigned(-2),
         on_unsigned(0x80000010), on_unsigned(0), on_unsigned(0x80000011));
  printf("%d %d %d %d %d\n", on_long(1LL << 40), on_long(-(1LL << 40)),
         on_long(-4), on_long(0x7fffffffffffffffLL), on_long(1LL << 32));
  printf("%d %d %d\n", on_ulong(-1), on_ulong((1ULL << 63) + 3), on_ulong(3));
  printf("%d %d %d %d\n", on_enum(X), on_enum(-2), on_enum(Z), on_enum(0));
  printf("%d %d\n", on_bool(0), on_bool(200));
  printf("%d %d %d\n", on_short(0, 1), on_short(255, 0), on_short(255, -32768));
  return 0;
}
