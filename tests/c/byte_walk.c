// SPDX-License-Identifier: Apache-2.0
// Objects seen as bytes: little endian, both read and written.
#include <stdio.h>
#include <string.h>

struct record {
  int id;
  short s[2];
  long long l;
};

static void dump(const void *p, int n) {
  const unsigned char *c = p;
  while (n--) printf("%02x", *c++);
  printf("\n");
}

int main(void) {
  struct record r = {0x01020304, {-2, 3}, 0x1122334455667788LL};
  dump(&r, sizeof r);
  unsigned char *bytes = (unsigned char *)&r;
  bytes[1] = 0xff;
  bytes[4]++;
  *(bytes + 8) ^= 0x88;
  printf("%x %d %llx\n", r.id, r.s[0], r.l);
  for (unsigned i = 0; i < sizeof r / 2; ++i) {
    unsigned char t = bytes[i];
    bytes[i] = bytes[sizeof r - 1 - i];
    bytes[sizeof r - 1 - i] = t;
  }
  dump(&r, sizeof r);
  printf("%x %llx\n", r.id, r.l);
  int words[3];
  memset(words, 0, sizeof words);
  for (unsigned i = 0; i < sizeof words; ++i) ((char *)words)[i] = i * 17;
  printf("%x %x %x\n", words[0], words[1], words[2]);
  unsigned u;
  memcpy(&u, bytes + 3, 4);
  printf("%x\n", u);
  unsigned short h;
  memcpy(&h, (char *)words + 5, sizeof h);
  printf("%x\n", h);
  memcpy(bytes, &h, 2);
  memcpy(bytes + 2, &h, 2);
  printf("%x\n", r.id);
  int x = -2;
  signed char *low = (signed char *)&x;
  low[0] -= 127;
  printf("%d\n", x);
  return low[3] & 255;
}
