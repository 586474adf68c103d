// SPDX-License-Identifier: Apache-2.0
// Structs of one name in different functions differ in the width of a field.
// ALSO: -m32
#include <stdio.h>

struct cell {
  unsigned a : 3;
  int z;
};

static struct cell make(int v) {
  struct cell c = {v, v};
  return c;
}

static unsigned narrow(unsigned v) {
  struct bits {
    unsigned a : 3;
  } s, t;
  s.a = v;
  t = s;
  return t.a;
}

static unsigned wide(unsigned v) {
  struct bits {
    unsigned a : 27;
  } s, t;
  s.a = v;
  t = s;
  return t.a;
}

static unsigned hidden(int v) {
  struct cell {
    unsigned a : 30;
    int z;
  } s = {v, v}, t = s;
  return t.a;
}

int main(void) {
  printf("%u %u\n", narrow(0x1234567), wide(0x1234567));
  printf("%u %u\n", make(13).a, hidden(0x1234567));
  return 0;
}
