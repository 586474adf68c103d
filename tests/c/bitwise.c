// SPDX-License-Identifier: Apache-2.0
// And, or, exclusive or and complement on all widths, with a CRC.
#include <stdio.h>

static unsigned crc32(const unsigned char *data, int length) {
  unsigned crc = 0xffffffff;
  for (int i = 0; i < length; ++i) {
    crc ^= data[i];
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

static int count(unsigned x) {
  int n = 0;
  for (; x; x &= x - 1) ++n;
  return n;
}

static unsigned reverse(unsigned x) {
  x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
  x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
  x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

int main(void) {
  printf("%x\n", crc32((const unsigned char *)"123456789", 9));
  printf("%d %d %d\n", count(0), count(0xffffffff), count(0x12345678));
  printf("%x %x\n", reverse(1), reverse(0x12345678));
  short h = 0x0ff0;
  signed char c = -16;
  printf("%d %d %d\n", h & c, h | c, h ^ c);
  printf("%d %d\n", ~h, ~c);
  unsigned char u = 0xf0;
  u |= 0x10f;
  printf("%d\n", u);
  u ^= -1;
  printf("%d\n", u);
  long long l = -1;
  l &= 0xffffffff;
  printf("%lld\n", l);
  l = -1;
  l &= ~0xff;
  printf("%lld\n", l);
  l = -1;
  l &= ~0xffu;
  printf("%lld\n", l);
  return count(reverse(0xf7));
}
