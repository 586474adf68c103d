// SPDX-License-Identifier: Apache-2.0
// A message followed by its checksum has checksum 0, in a loop that never ends.
#include <assert.h>
#ifndef POLYNOMIAL
#define POLYNOMIAL 0x07
#endif
typedef unsigned char byte;
byte __VERIFIER_nondet_uchar(void);

static byte crc(const byte *text, int length) {
  byte c = 0;
  for (int i = 0; i < length; i++) {
    c ^= text[i];
    for (int bit = 0; bit < 8; bit++)
      c = (byte)(c & 0x80 ? c << 1 ^ POLYNOMIAL : c << 1);
  }
  return c;
}

int main(void) {
  for (;;) {
    byte message[3];
    message[0] = __VERIFIER_nondet_uchar();
    message[1] = __VERIFIER_nondet_uchar();
    message[2] = crc(message, 2);
    assert(crc(message, 3) == 0);
    assert(message[2] != 0xa5 || message[0] != 0x5a WRONG);
  }
}
